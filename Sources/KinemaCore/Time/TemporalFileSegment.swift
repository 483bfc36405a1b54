public import Foundation

/// A stretch of a video file.
public struct TemporalFileSegment: Hashable, Sendable, Codable {
    /// The file.
    public var url: URL
    /// The stretch in seconds from the file's first frame.
    public var range: Range<TimeInterval>

    /// Names a stretch of a file in seconds from its first frame.
    public init(url: URL, range: Range<TimeInterval>) {
        self.url = url
        self.range = range
    }
}
