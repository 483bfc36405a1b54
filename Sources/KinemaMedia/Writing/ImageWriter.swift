package import Foundation
package import KinemaCore

package enum ImageWriter {
    /// Writes a picture as `.png`, `.jpg` or `.jpeg`; PNG keeps transparency.
    ///
    /// Throws `invalidArgument` for another extension, `unwritableOutput` when the file cannot be written; no
    /// incomplete file remains.
    package static func write(_ bitmap: Bitmap, to url: URL) throws {
        ContainerHandle.silence
        let ending = url.pathExtension.lowercased()
        guard ["png", "jpg", "jpeg"].contains(ending) else {
            throw KinemaError(.invalidArgument, "images are written as .png or .jpg; change the name", file: url.path)
        }
        let keepsAlpha =
            ending == "png"
            && stride(from: 3, to: bitmap.pixels.count, by: 4).contains { bitmap.pixels[$0] != 255 }
        let kind: EncoderHandle.PictureKind = keepsAlpha ? .pngWithAlpha : ending == "png" ? .png : .jpeg
        try AtomicFile.write(
            try encode(keepsAlpha ? bitmap.unpremultiplied() : bitmap, kind, file: url.path), to: url)
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
            throw KinemaError(.unwritableOutput, "the image could not be compressed", file: file)
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

    /// Makes an encoder that scales wider frames down to `maximumWidth` columns; throws when out of memory.
    package init(maximumWidth: Int = 960) throws {
        ContainerHandle.silence
        self.maximumWidth = maximumWidth
        packet = try PacketHandle()
    }

    /// The displayed frame as a JPEG with its size in pixels; throws `.missingComponent` without FFmpeg's encoder.
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
            throw KinemaError(.unwritableOutput, "the image could not be compressed")
        }
        defer { packet.clear() }
        return (Data(packet.bytes), target.width, target.height)
    }
}

extension VideoFrame {
    /// Converts the displayed frame to JPEG's colours and the target's size.
    fileprivate func convert(into target: FrameHandle) throws {
        // JFIF 1.02 specifies BT.601 and full range.
        let color = FrameColor(standard: .bt601, fullRange: true)
        if case .decoded(let picture) = content, picture.orientation == .upright {
            try ScalerHandle.convert(picture.handle, into: target, from: picture.color, to: color)
        } else {
            let shown = try FrameHandle(bitmap(), paddedToEven: false)
            try ScalerHandle.convert(shown, into: target, from: .rgb, to: color)
        }
    }
}
