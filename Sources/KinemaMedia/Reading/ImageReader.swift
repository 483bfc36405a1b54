public import Foundation
public import KinemaCore

/// Reads image files: JPEG, PNG, WebP and other formats that this FFmpeg decodes.
public struct ImageReader: Transformer, Sendable {
    /// The rotation that turns a stored picture upright.
    package typealias Orientation = PixelOrientation

    /// Creates a reader.
    public init() {}

    /// Reads a file, as `read(contentsOf:)`.
    public func applied(to url: URL, eventHandler: EventHandler? = nil) throws -> VideoFrame { try Self.read(url: url) }

    /// The same as `read(contentsOf:)`.
    public static func read(url: URL) throws -> VideoFrame { try read(contentsOf: url) }

    /// The image in a file, upright by EXIF, or a video's first frame; throws `unreadableInput` if there is none.
    public static func read(contentsOf url: URL) throws -> VideoFrame {
        try read(contentsOf: url, orientation: nil)
    }

    /// The image in a file's bytes, upright by EXIF, or a video's first frame; throws `unreadableInput`.
    public static func read(_ data: Data) throws -> VideoFrame { try read(data, orientation: nil) }

    package static func read(contentsOf url: URL, orientation: Orientation?) throws -> VideoFrame {
        let decoder = try VideoDecoder(url, orientation: orientation)
        guard let frame = try decoder.next() else {
            throw KinemaError.unreadable("no image could be decoded; the file is damaged", url.path)
        }
        return frame
    }

    package static func read(_ data: Data, orientation: Orientation?) throws -> VideoFrame {
        // The decoder reads only files; this one is private and removed at once.
        let path = FileManager.default.temporaryDirectory.appending(path: "kinema-picture-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: path) }
        guard
            FileManager.default.createFile(
                atPath: path.path, contents: data, attributes: [.posixPermissions: 0o600])
        else {
            throw KinemaError(
                .unwritableOutput, "an image in memory cannot be stored for decoding; check the free disk space",
                file: path.deletingLastPathComponent().path)
        }
        do {
            return try read(contentsOf: path, orientation: orientation)
        } catch let error as KinemaError {
            throw KinemaError(error.code, error.message, file: "image in memory")
        }
    }
}

extension VideoFrame {
    /// The frame turned and mirrored; a decoded picture is not copied.
    package func oriented(_ orientation: PixelOrientation) throws -> VideoFrame {
        guard orientation != .upright else { return self }
        if case .decoded(let picture) = content {
            let orientation = picture.orientation.followed(by: orientation)
            return VideoFrame(
                DecodedPicture(
                    handle: picture.handle, layout: picture.layout, color: picture.color, orientation: orientation),
                id: id)
        }
        return VideoFrame(bitmap: try bitmap().turned(orientation), id: id)
    }
}
