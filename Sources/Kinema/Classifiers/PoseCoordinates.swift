import KinemaMotion

/// What the positions that a neural network takes are measured in.
public enum PoseCoordinates: String, Sendable, Hashable, CaseIterable {
    /// Both in heights of the picture, y up: what Kinema's own classifiers take. Numbers of a file are as they are.
    case heights
    /// 0...1 of the picture's width and height, y up: what Create ML and Vision give.
    case vision
    /// 0...1 of the picture's width and height, y down: what MediaPipe and YOLO give.
    case image
    /// -1...1 of the picture's width and height, y down, the picture's middle at 0: what MMAction2 takes.
    case centred

    /// A position in a sequence's coordinates as the network takes it.
    func position(_ x: Float, _ y: Float, in picture: PoseSequence.Picture) -> (x: Float, y: Float) {
        let share = x / picture.width
        switch self {
        case .heights: return (x, y)
        case .vision: return (share, 1 - (picture.top - y))
        case .image: return (share, picture.top - y)
        case .centred: return (2 * share - 1, 2 * (picture.top - y) - 1)
        }
    }
}
