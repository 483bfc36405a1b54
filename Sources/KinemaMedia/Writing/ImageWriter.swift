public import Foundation
public import KinemaCore

/// Writes pictures as PNG or JPEG files.
public enum ImageWriter {
    /// Writes a picture; the file extension, `.png`, `.jpg` or `.jpeg`, chooses the format.
    ///
    /// PNG keeps transparency. Throws `KinemaError`: `invalidArgument` for another extension, `unwritableOutput` when
    /// the file cannot be written; no incomplete file remains.
    public static func write(_ bitmap: Bitmap, to url: URL) throws {
        ContainerHandle.silence
        let bytes: [UInt8] =
            switch url.pathExtension.lowercased() {
            case "png": try png(bitmap, file: url.path)
            case "jpg", "jpeg": try encode(bitmap, .jpeg, file: url.path)
            default:
                throw KinemaError(
                    .invalidArgument, "pictures are written as .png or .jpg; change the name", file: url.path)
            }
        try AtomicFile.write(bytes, to: url)
    }

    private static func png(_ bitmap: Bitmap, file: String) throws(KinemaError) -> [UInt8] {
        let isOpaque = stride(from: 3, to: bitmap.pixels.count, by: 4).allSatisfy { bitmap.pixels[$0] == 255 }
        return try encode(isOpaque ? bitmap : bitmap.unpremultiplied(), isOpaque ? .png : .pngWithAlpha, file: file)
    }

    private static func encode(_ bitmap: Bitmap, _ kind: EncoderHandle.PictureKind, file: String)
        throws(KinemaError) -> [UInt8]
    {
        let encoder = try EncoderHandle(picture: kind, width: bitmap.width, height: bitmap.height, file: file)
        // PNG ignores the matrix; JFIF 1.02 specifies BT.601 and full range.
        let frame = try FrameHandle(bitmap, paddedToEven: false)
            .converted(to: kind.format, color: FrameColor(standard: .bt601, fullRange: true))
        let packet = try PacketHandle()
        frame.setTimestamp(0)
        guard encoder.send(frame), encoder.send(nil), encoder.receive(into: packet) else {
            throw KinemaError(.unwritableOutput, "the picture could not be compressed", file: file)
        }
        return packet.bytes
    }
}

extension Bitmap {
    /// Divides the colours by alpha, as picture files expect.
    func unpremultiplied() -> Bitmap {
        var copy = self
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[start + 3])
            guard alpha > 0, alpha < 255 else { continue }
            for channel in start..<start + 3 {
                copy.pixels[channel] = UInt8(min((Int(pixels[channel]) * 255 + alpha / 2) / alpha, 255))
            }
        }
        return copy
    }
}

/// Compresses frames into JPEG previews in memory; for one thread at a time.
package final class JPEGEncoder {
    private var encoder: (handle: EncoderHandle, width: Int, height: Int)?
    private let packet: PacketHandle
    private let maximumWidth: Int
    private var count = 0

    /// Makes an encoder; wider frames are scaled down to `maximumWidth` columns.
    ///
    /// Throws when out of memory.
    package init(maximumWidth: Int = 960) throws {
        ContainerHandle.silence
        self.maximumWidth = maximumWidth
        packet = try PacketHandle()
    }

    /// The frame as displayed, as a JPEG with its size in pixels.
    ///
    /// Throws `.missingComponent` when this FFmpeg has no JPEG encoder, and when out of memory.
    package func jpeg(_ frame: VideoFrame) throws -> (bytes: Data, width: Int, height: Int) {
        let width = min(frame.width, maximumWidth) & ~1
        let height = max(2, frame.height * width / max(1, frame.width)) & ~1
        let target = try FrameHandle(
            width: max(2, width), height: height, format: EncoderHandle.PictureKind.preview.format)
        try frame.convert(into: target)
        if encoder?.width != target.width || encoder?.height != target.height {
            let handle = try EncoderHandle(
                picture: .preview, width: target.width, height: target.height, file: "preview")
            encoder = (handle, target.width, target.height)
        }
        target.setTimestamp(count)
        count += 1
        guard let encoder = encoder?.handle, encoder.send(target), encoder.receive(into: packet) else {
            throw KinemaError(.unwritableOutput, "the picture could not be compressed")
        }
        defer { packet.clear() }
        return (Data(packet.bytes), target.width, target.height)
    }
}

extension VideoFrame {
    /// Converts the displayed frame to JPEG's colours and the target's size.
    fileprivate func convert(into target: FrameHandle) throws(KinemaError) {
        // JFIF 1.02 specifies BT.601 and full range.
        let color = FrameColor(standard: .bt601, fullRange: true)
        switch content {
        case .decoded(let picture) where picture.orientation == .upright:
            try ScalerHandle.convert(picture.handle, into: target, from: picture.color, to: color)
        case .decoded(let picture):
            let turned = try FrameHandle(try picture.bitmap(), paddedToEven: false)
            try ScalerHandle.convert(turned, into: target, from: .rgb, to: color)
        case .bitmap(let bitmap):
            try ScalerHandle.convert(try FrameHandle(bitmap, paddedToEven: false), into: target, from: .rgb, to: color)
        case .missing:
            let black = try FrameHandle(Bitmap(width: width, height: height), paddedToEven: false)
            try ScalerHandle.convert(black, into: target, from: .rgb, to: color)
        }
    }
}
