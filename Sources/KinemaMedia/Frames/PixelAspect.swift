/// A stored pixel's width by its height; 1 for the square pixels of computers.
struct PixelAspect: Hashable, Sendable {
    private let ratio: Double

    static let square = PixelAspect(1)

    /// Ratios nobody can see, and those beyond any standard (ITU-T H.264, table E-1: at most 2:1), count as square.
    private init(_ ratio: Double) {
        let isSensible = (0.25...4).contains(ratio) && !(0.99...1.01).contains(ratio)
        self.ratio = isSensible ? ratio : 1
    }

    /// What the container says, else what the video itself says, as players decide.
    init(container: Rational, frame: FrameHandle) {
        self.init(container.value > 0 ? container.value : frame.pixelAspect.value)
    }

    var isSquare: Bool { ratio == 1 }

    /// The size with square pixels that shows as large as this stored one; no side gets smaller.
    func squareSize(width: Int, height: Int) -> (width: Int, height: Int) {
        ratio > 1
            ? (Int((Double(width) * ratio).rounded()), height) : (width, Int((Double(height) / ratio).rounded()))
    }
}
