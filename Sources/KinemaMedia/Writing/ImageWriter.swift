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
