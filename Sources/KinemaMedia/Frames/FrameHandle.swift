internal import CFFmpeg
internal import KinemaCore

/// Owns one of FFmpeg's frames.
// SAFETY: unchecked because it is not changed after the decoder or the scaler filled it, so any thread may read it.
// Allocated in `init`, freed in `deinit`; nil never escapes, since a failed allocation throws.
final class FrameHandle: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(KinemaError) {
        guard let frame = av_frame_alloc() else { throw .outOfMemory }
        pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// A frame with room for a picture, its rows padded as the scaler likes them.
    convenience init(width: Int, height: Int, format: AVPixelFormat) throws(KinemaError) {
        try self.init()
        pointer.pointee.width = Int32(width)
        pointer.pointee.height = Int32(height)
        pointer.pointee.format = format.rawValue
        guard av_frame_get_buffer(pointer, 64) == 0 else { throw .outOfMemory }
    }

    /// A frame over four-byte pixels that somebody else owns and keeps alive, rows without padding.
    ///
    /// The scaler reads and writes sixteen pixels at a time, so the width has to be a multiple of that.
    convenience init(borrowing pixels: UnsafeMutablePointer<UInt8>, width: Int, height: Int) throws(KinemaError) {
        precondition(width % Self.scalerStep == 0, "the scaler would run over the end")
        try self.init()
        pointer.pointee.width = Int32(width)
        pointer.pointee.height = Int32(height)
        pointer.pointee.format = AV_PIX_FMT_BGRA.rawValue
        pointer.pointee.data.0 = pixels
        pointer.pointee.linesize.0 = Int32(width * 4)
    }

    /// Pixels the scaler's vector code handles at once.
    static let scalerStep = 16

    var width: Int { Int(pointer.pointee.width) }
    var height: Int { Int(pointer.pointee.height) }
    var pixelAspect: Rational { Rational(pointer.pointee.sample_aspect_ratio) }
    var format: AVPixelFormat { AVPixelFormat(rawValue: pointer.pointee.format) }

    /// One of the frame's first three planes; nil when the format has fewer.
    func plane(_ index: Int) -> FramePlanes.Plane? {
        // SAFETY: the pointers live as long as this object; the caller keeps it alive while it reads.
        let frame = pointer.pointee
        let bases = [frame.data.0, frame.data.1, frame.data.2]
        let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2]
        guard let base = bases[index] else { return nil }
        return FramePlanes.Plane(base: UnsafeRawPointer(base), bytesPerRow: Int(strides[index]))
    }
}

extension KinemaError {
    static let outOfMemory = KinemaError(
        .analysisFailed, "out of memory for a picture; close other programs or use a smaller video")
}
