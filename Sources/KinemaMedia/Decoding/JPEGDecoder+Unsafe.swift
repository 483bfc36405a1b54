import CFFmpeg
package import Foundation
package import KinemaCore

/// Decodes JPEG pictures that arrive one at a time from memory. For one thread at a time.
package final class JPEGDecoder {
    private let codec: CodecHandle
    private let packet: PacketHandle
    private let width: Int
    private let height: Int

    /// Makes a decoder for pictures up to a width and height in pixels; throws `.missingComponent` if FFmpeg has none.
    package convenience init(maximumWidth: Int, maximumHeight: Int) throws(KinemaError) {
        try self.init(maximumWidth: maximumWidth, maximumHeight: maximumHeight, memory: nil)
    }

    /// The same, with the pictures in shared memory.
    init(maximumWidth: Int, maximumHeight: Int, memory: SharedPictureMemory?) throws(KinemaError) {
        ContainerHandle.silence
        codec = try CodecHandle(jpegWithMaximumPixels: maximumWidth * maximumHeight, memory: memory)
        packet = try PacketHandle()
        (width, height) = (maximumWidth, maximumHeight)
    }

    /// Decodes a picture into an upright frame.
    ///
    /// Throws `.unreadableInput` when the bytes are not a JPEG, truncated or damaged, and `.invalidArgument` when the
    /// picture is larger than allowed, before decoding it.
    package func frame(_ jpeg: Data, id: TemporalSegmentIdentifier) throws(KinemaError) -> VideoFrame {
        guard let header = JPEGHeader(jpeg) else { throw Self.noPicture }
        guard header.width <= width, header.height <= height else {
            throw .tooLarge(header.width, header.height, limit: (width, height))
        }
        guard !header.hasTooManyScans else { throw Self.tooSlow }
        guard header.isComplete, packet.fill(jpeg), codec.send(packet) else { throw Self.damaged }
        packet.clear()
        var decoded: FrameHandle?
        while case .frame(let frame) = try codec.receive() { decoded = frame }
        guard let decoded, !decoded.isDamaged, decoded.width == header.width, decoded.height == header.height else {
            throw Self.damaged
        }
        let orientation = ExifOrientation.find(in: Array(jpeg.prefix(header.count))) ?? .upright
        return VideoFrame(try DecodedPicture(decoded, orientation: orientation, isPicture: true), id: id)
    }

    static let damaged = KinemaError(.unreadableInput, "this frame's image is damaged; it was skipped")
    static let tooSlow = KinemaError(
        .unreadableInput, "this frame's image has more scans than a camera's; send baseline or progressive JPEG")
    static let noPicture = KinemaError(.unreadableInput, "this frame is not a JPEG image; send JPEG")
}

extension KinemaError {
    static func tooLarge(_ width: Int, _ height: Int, limit: (width: Int, height: Int)) -> KinemaError {
        KinemaError(
            .invalidArgument, "this frame has \(width)x\(height) pixels; send at most \(limit.width)x\(limit.height)")
    }
}

extension PacketHandle {
    /// Copies the bytes, followed by the padding that decoders may read. Returns false when out of memory.
    fileprivate func fill(_ bytes: Data) -> Bool {
        clear()
        guard av_new_packet(pointer, Int32(clamping: bytes.count)) == 0 else { return false }
        return bytes.withUnsafeBytes { source in
            guard let from = source.baseAddress, let to = pointer.pointee.data else { return false }
            // SAFETY: the packet has room for all the bytes, and padding after them.
            to.update(from: from.assumingMemoryBound(to: UInt8.self), count: source.count)
            return true
        }
    }
}
