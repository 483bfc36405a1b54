package import KinemaMedia

/// Tracks people or hands through the frames of one stream.
package protocol StreamTracker: Sendable {
    associatedtype Output
    mutating func update(_ frame: VideoFrame) throws -> Output
}
