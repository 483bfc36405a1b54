public import Foundation

/// A time range of a stream in exact ticks of 1/`timescale` s from the stream's first frame.
public struct TemporalSegmentIdentifier: Hashable, Sendable, Codable {
    /// The stream: a file's full path, a device, or an address.
    public var source: String
    /// The range in ticks; the lower bound is when the frame is shown.
    public var range: Range<Int>
    /// Ticks a second.
    public var timescale: Int

    /// Creates an identifier from a source, a range of ticks and the number of ticks a second.
    public init(source: String, range: Range<Int>, timescale: Int) {
        precondition(timescale > 0, "a time scale is at least one tick a second")
        (self.source, self.range, self.timescale) = (source, range, timescale)
    }

    /// The range in seconds.
    public var rangeInSeconds: Range<TimeInterval> { seconds(range.lowerBound)..<seconds(range.upperBound) }

    /// The length in seconds.
    public var durationInSeconds: TimeInterval { TimeInterval(range.count) / TimeInterval(timescale) }

    /// Whether this range starts later than another one of the same stream.
    func begins(after other: TemporalSegmentIdentifier) -> Bool {
        guard timescale != other.timescale else { return range.lowerBound > other.range.lowerBound }
        return seconds(range.lowerBound) > other.seconds(other.range.lowerBound)
    }

    private func seconds(_ ticks: Int) -> TimeInterval { TimeInterval(ticks) / TimeInterval(timescale) }
}
