internal import CFFmpeg
package import Foundation
package import KinemaCore

/// Decodes JPEG pictures that arrive one by one, such as a browser's, straight from memory; for one thread at a time.
///
/// The frames keep the decoder's own planes: nothing is converted, nothing copied but the compressed bytes.
package final class JPEGDecoder {
    private let codec: CodecHandle
    private let packet: PacketHandle
    private let width: Int
    private let height: Int

    /// Makes a decoder of pictures of at most that many columns and rows.
    ///
    /// Throws `.missingComponent` when this FFmpeg decodes no JPEG.
    package init(maximumWidth: Int, maximumHeight: Int) throws(KinemaError) {
        ContainerHandle.silence
        codec = try CodecHandle(jpegOfAtMost: maximumWidth * maximumHeight)
        packet = try PacketHandle()
        (width, height) = (maximumWidth, maximumHeight)
    }

    /// The picture, upright, as the frame of a stream.
    ///
    /// Throws `.unreadableInput` when the bytes are no JPEG, broken off or damaged, and `.invalidArgument` when the
    /// picture is larger than allowed; its size is looked at before it is decoded.
    package func frame(_ jpeg: Data, id: TemporalSegmentIdentifier) throws(KinemaError) -> VideoFrame {
        guard let header = JPEGHeader(jpeg) else {
            throw KinemaError(.unreadableInput, "this frame is no JPEG picture; send JPEG")
        }
        guard header.width <= width, header.height <= height else {
            throw .tooLarge(header.width, header.height, most: (width, height))
        }
        guard header.isWhole, packet.fill(jpeg), codec.send(packet) else { throw Self.damaged }
        packet.clear()
        var decoded: FrameHandle?
        while case .frame(let frame) = try codec.receive() { decoded = frame }
        guard let decoded, !decoded.isDamaged, decoded.width == header.width, decoded.height == header.height else {
            throw Self.damaged
        }
        let orientation = ExifOrientation.find(in: Array(jpeg.prefix(header.count))) ?? .upright
        return VideoFrame(try DecodedPicture(decoded, orientation: orientation, isPicture: true), id: id)
    }

    private static let damaged = KinemaError(.unreadableInput, "this frame's picture is damaged; it is left out")
}

extension KinemaError {
    /// A picture that was sent has more pixels than are taken.
    static func tooLarge(_ width: Int, _ height: Int, most: (width: Int, height: Int)) -> KinemaError {
        KinemaError(
            .invalidArgument, "this frame has \(width)x\(height) pixels; send at most \(most.width)x\(most.height)")
    }
}

extension PacketHandle {
    /// Copies bytes in, with the padding that decoders read over the end; false when there is no memory.
    fileprivate func fill(_ bytes: Data) -> Bool {
        clear()
        guard av_new_packet(pointer, Int32(clamping: bytes.count)) == 0 else { return false }
        return bytes.withUnsafeBytes { source in
            guard let from = source.baseAddress, let to = pointer.pointee.data else { return false }
            // SAFETY: the packet was just made with room for all the bytes, and padding behind them.
            to.update(from: from.assumingMemoryBound(to: UInt8.self), count: source.count)
            return true
        }
    }
}
