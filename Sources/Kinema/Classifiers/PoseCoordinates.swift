import KinemaMotion

/// The coordinate system of the positions that a neural network takes.
public enum PoseCoordinates: String, Sendable, Hashable, CaseIterable {
    /// Both in heights of the frame, y up: used by Kinema's own classifiers, without conversion.
    case heights
    /// 0...1 of the frame's width and height, y up: used by Create ML and Vision.
    case vision
    /// 0...1 of the frame's width and height, y down: used by MediaPipe and YOLO.
    case image
    /// -1...1 of the frame's width and height, y down, the frame's middle at 0: used by MMAction2.
    case centred

    /// Converts a position of a sequence to the network's coordinates.
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
