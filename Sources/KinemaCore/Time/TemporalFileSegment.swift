public import Foundation

/// A time range of a video file.
public struct TemporalFileSegment: Hashable, Sendable, Codable {
    /// The file.
    public var url: URL
    /// The range in seconds from the file's first frame.
    public var range: Range<TimeInterval>

    /// Creates a segment from a file and a range in seconds from its first frame.
    public init(url: URL, range: Range<TimeInterval>) { (self.url, self.range) = (url, range) }
}
