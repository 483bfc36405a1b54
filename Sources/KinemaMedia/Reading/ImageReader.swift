public import Foundation
internal import KinemaCore

/// Reads a picture file: JPEG, PNG or WebP, and whatever else this FFmpeg decodes.
public enum ImageReader {
    /// The picture, upright according to its EXIF orientation; of a video, the first frame.
    ///
    /// Throws `KinemaError` with code `unreadableInput` when the file is missing, damaged or holds no picture.
    public static func read(contentsOf url: URL) throws -> VideoFrame {
        let decoder = try VideoDecoder(url)
        guard let frame = try decoder.next() else {
            throw KinemaError(
                .unreadableInput, "no picture in it could be decoded; it is damaged", file: url.path)
        }
        return frame
    }
}
