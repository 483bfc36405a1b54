/// The description of a stream, known before its frames are read.
struct StreamDescription: Codable, Sendable {
    var width: Int
    var height: Int
    var frameRate: Double
    var timescale: Int
    var duration: Double
    var expectedFrameCount: Int?
    var isLive: Bool

    /// Whether a decoder can produce these numbers.
    func isPossible(within limits: ReadingLimits) -> Bool {
        width > 0 && height > 0 && limits.accepts(width: width, height: height) && (0...1000).contains(frameRate)
            && (1...Int(Int32.max)).contains(timescale) && (0..<1e12).contains(duration)
            && (0...1_000_000_000).contains(expectedFrameCount ?? 0)
    }
}
