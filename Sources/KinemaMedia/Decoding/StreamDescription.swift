/// The description of a stream, known before its frames are read.
struct StreamDescription: Codable, Sendable {
    var width: Int
    var height: Int
    var frameRate: Double
    /// Whether all frames are that far apart.
    var hasConstantRate = false
    var timescale: Int
    var duration: Double
    var expectedFrameCount: Int?
    var isLive: Bool
    /// The times in seconds from the first frame at which decoding can begin, increasing; nil if only a part's decoder
    /// can list them.
    var keyTimes: [Double]?
    /// How many times slower than life the file plays, which its times no longer do.
    var slowdown = 1.0
    /// Frames per second at which the camera recorded, if the file says so.
    var captureRate: Double?

    /// The most key times that are listed; of more, only some are.
    static let maximumKeyTimes = 2_000

    func turned(_ orientation: PixelOrientation, every factor: Int) -> StreamDescription {
        var turned = self
        if orientation.transposed { (turned.width, turned.height) = (height, width) }
        turned.frameRate /= Double(factor)
        turned.expectedFrameCount = expectedFrameCount.map { ($0 + factor - 1) / factor }
        return turned
    }

    /// Whether a decoder can produce these numbers.
    func isPossible(within limits: ReadingLimits) -> Bool {
        width > 0 && height > 0 && limits.accepts(width: width, height: height) && (0...1000).contains(frameRate)
            && (1...Int(Int32.max)).contains(timescale) && (0..<1e12).contains(duration)
            && (1e-6...1e6).contains(slowdown)
            && (0...1_000_000_000).contains(expectedFrameCount ?? 0)
            && (keyTimes ?? []).count <= Self.maximumKeyTimes && (keyTimes ?? []).allSatisfy { (0..<1e12).contains($0) }
    }
}
