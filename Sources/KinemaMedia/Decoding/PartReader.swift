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
