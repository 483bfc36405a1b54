import KinemaCore

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
    /// The frames of the file for each that is delivered.
    var step = 1

    /// The most key times that are listed; of more, only some are.
    static let maximumKeyTimes = 2_000

    func turned(_ orientation: PixelOrientation, every factor: Int) -> StreamDescription {
        var turned = self
        if orientation.transposed { (turned.width, turned.height) = (height, width) }
        turned.frameRate /= Double(factor)
        turned.step *= factor
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

/// Delivers the frames of an input in order. Synchronous; for one thread.
protocol FrameDecoding: AnyObject {
    var description: StreamDescription { get }
    /// Returns the next frame, or nil after the last one. Throws CancellationError once reading is cancelled.
    func next() throws -> VideoFrame?
}

/// The frames of a file from a given time, with the same timestamps as when it is read whole. Synchronous; for one
/// thread.
package final class PartReader {
    private let decoder: any FrameDecoding
    private let orientation: PixelOrientation

    /// The message of a file that has a defect, so that its parts would not join.
    package static let irregular = "cannot be read in parts"

    init(_ decoder: any FrameDecoding, orientation: PixelOrientation) {
        (self.decoder, self.orientation) = (decoder, orientation)
    }

    /// The times in seconds at which decoding can begin, increasing; empty if the file does not list them.
    package var keyTimes: [Double] { decoder.description.keyTimes ?? [] }

    /// The next frame; nil after the last. Throws `unreadableInput` and CancellationError.
    package func next() throws -> VideoFrame? { try decoder.next()?.oriented(orientation) }
}
