package import KinemaMedia

/// The people in a few frames of an input, to choose between BlazePose and a top-down model.
package struct CrowdSurvey: Sendable {
    /// The minimum score of a detection. With PicoDet it gives a median of one person a frame in 208 recordings of one
    /// person, two in four, and the right number in seven of crowds.
    private static let minimumScore: Float = 0.5
    /// The number of people from which a top-down model is better; for still pictures it always is.
    package static let crowd = 3
    /// People are small if the longer side of the largest one's box is below this share of the frame's shorter side. In
    /// those recordings it is 0.37 or more; in four of them shrunk to 0.15, BlazePose counts 11 of 28 repetitions, the
    /// top-down pair 29.
    package static let smallSide = 0.3
    /// The positions in a recording that are surveyed, as shares of its length.
    package static let places = [0.1, 0.3, 0.5, 0.7, 0.9]

    /// The median number of people in a frame.
    package let people: Int
    /// Whether the largest person of the median frame is small.
    package let isSmall: Bool

    /// Whether a top-down model suits these people better.
    package var isCrowd: Bool { people >= Self.crowd || isSmall }

    /// Surveys frames with the detector of a top-down model; throws `.unreadableInput` for a model without one.
    package init(of frames: [VideoFrame], with options: ChosenModelOptions, store: ModelStore) throws {
        guard let detector = options.detector else { throw options.model.wrongKind("a detector of people is needed") }
        let finder = try ModelFinder(detector, store: store, precision: options.precision)
        var counts: [Int] = []
        var sides: [Double] = []
        for frame in frames {
            let boxes = try finder.boxes(in: frame).filter { $0.score >= Self.minimumScore }
            counts.append(boxes.count)
            let longest = boxes.map { max($0.box.z - $0.box.x, $0.box.w - $0.box.y) }.max()
            if let longest { sides.append(longest / frame.size.min()) }
        }
        people = counts.sorted().dropFirst(counts.count / 2).first ?? 0
        isSmall = sides.sorted().dropFirst(sides.count / 2).first.map { $0 < Self.smallSide } ?? false
    }
}
