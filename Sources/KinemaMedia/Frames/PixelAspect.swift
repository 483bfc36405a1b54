/// The width of a stored pixel divided by its height; 1 for square pixels.
struct PixelAspect: Hashable, Sendable {
    private let ratio: Double

    static let square = PixelAspect(1)

    /// Ratios too small to see, and those beyond any standard (ITU-T H.264, table E-1: at most 2:1), count as square.
    private init(_ ratio: Double) {
        let isSensible = (0.25...4).contains(ratio) && !(0.99...1.01).contains(ratio)
        self.ratio = isSensible ? ratio : 1
    }

    /// The container's ratio, or else the video's own, as players decide.
    init(container: Rational, frame: FrameHandle) {
        self.init(container.value > 0 ? container.value : frame.pixelAspect.value)
    }

    var isSquare: Bool { ratio == 1 }

    /// The size in square pixels that displays the same; neither side shrinks.
    func squareSize(width: Int, height: Int) -> (width: Int, height: Int) {
        ratio > 1
            ? (Int((Double(width) * ratio).rounded()), height) : (width, Int((Double(height) / ratio).rounded()))
    }
}
