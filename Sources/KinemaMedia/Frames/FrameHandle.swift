import CFFmpeg
import KinemaCore
import Synchronization

// SAFETY: unchecked because the frame does not change once the decoder or the scaler has filled it, so any thread may
// read it. Allocated in `init`, freed in `deinit`; a failed allocation throws.
final class FrameHandle: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>
    /// Keeps planes that FFmpeg does not own.
    private let owner: SharedBlock?

    init(owner: SharedBlock? = nil) throws(KinemaError) {
        guard let frame = av_frame_alloc() else { throw .outOfMemory }
        pointer = frame
        self.owner = owner
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    private convenience init(
        _ width: Int, _ height: Int, _ format: AVPixelFormat, owner: SharedBlock? = nil
    ) throws(KinemaError) {
        try self.init(owner: owner)
        pointer.pointee.width = Int32(width)
        pointer.pointee.height = Int32(height)
        pointer.pointee.format = format.rawValue
    }

    /// Allocates a frame for a picture, its rows padded for the scaler.
    convenience init(width: Int, height: Int, format: AVPixelFormat) throws(KinemaError) {
        try self.init(width, height, format)
        guard av_frame_get_buffer(pointer, 64) == 0 else { throw .outOfMemory }
    }

    /// A frame over four-byte pixels that the caller keeps alive, without row padding; the width is a multiple of 16.
    convenience init(borrowing pixels: UnsafeMutablePointer<UInt8>, width: Int, height: Int) throws(KinemaError) {
        precondition(width % Self.scalerStep == 0, "the scaler would write past the end")
        try self.init(width, height, AV_PIX_FMT_BGRA)
        pointer.pointee.data.0 = pixels
        pointer.pointee.linesize.0 = Int32(width * 4)
    }

    /// A frame over planes that `owner` keeps: each plane's first row, and the bytes from row to row.
    convenience init(
        width: Int, height: Int, format: AVPixelFormat, planes: [(UnsafeMutablePointer<UInt8>, Int)], owner: SharedBlock
    ) throws(KinemaError) {
        try self.init(width, height, format, owner: owner)
        // SAFETY: the caller vouches for the planes; a frame without buffers of its own frees none.
        withUnsafeMutableBytes(of: &pointer.pointee.data) { data in
            let bases = data.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)
            for (index, plane) in planes.enumerated() { bases[index] = plane.0 }
        }
        withUnsafeMutableBytes(of: &pointer.pointee.linesize) { sizes in
            let strides = sizes.bindMemory(to: Int32.self)
            for (index, plane) in planes.enumerated() { strides[index] = Int32(plane.1) }
        }
    }

    /// Pixels the scaler's vector code processes at once.
    static let scalerStep = 16

    var width: Int { Int(pointer.pointee.width) }
    var height: Int { Int(pointer.pointee.height) }
    var pixelAspect: Rational { Rational(pointer.pointee.sample_aspect_ratio) }
    var format: AVPixelFormat { AVPixelFormat(rawValue: pointer.pointee.format) }

    /// One of the frame's first three planes; nil when the format has fewer.
    func plane(_ index: Int) -> FramePlanes.Plane? {
        // SAFETY: the pointers live as long as this object; the caller keeps it alive while reading.
        let frame = pointer.pointee
        let bases = [frame.data.0, frame.data.1, frame.data.2]
        let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2]
        guard let base = bases[index] else { return nil }
        return FramePlanes.Plane(base: UnsafeRawPointer(base), bytesPerRow: Int(strides[index]))
    }
}

extension KinemaError {
    static let outOfMemory = KinemaError(
        .analysisFailed, "out of memory for a frame; close other programs or use a smaller video")
}

// SAFETY: unchecked because one thread at a time uses it: the pool lends each scaler to one caller. Its context is made
// in `init` and freed in `deinit`.
final class ScalerHandle: @unchecked Sendable {
    struct Key: Hashable {
        var width: Int
        var height: Int
        var from: AVPixelFormat
        var targetWidth: Int
        var targetHeight: Int
        var to: AVPixelFormat
        var sourceColor: FrameColor
        var targetColor: FrameColor
    }

    let key: Key
    private let context: UnsafeMutableRawPointer

    init(_ key: Key) throws(KinemaError) {
        ContainerHandle.silence
        guard
            let context = kinema_scaler(
                Int32(key.width), Int32(key.height), key.from, Int32(key.targetWidth), Int32(key.targetHeight), key.to,
                key.sourceColor.scalerStandard, key.sourceColor.fullRange ? 1 : 0, key.targetColor.scalerStandard,
                key.targetColor.fullRange ? 1 : 0)
        else {
            throw KinemaError(
                .unsupported, "this pixel format cannot be converted; convert the file with ffmpeg first")
        }
        (self.key, self.context) = (key, context)
    }

    deinit { kinema_free_scaler(context) }

    /// Idle scalers: making one costs more than converting a small picture.
    private static let pool = Mutex<[ScalerHandle]>([])
    private static let poolLimit = 4

    static func convert(
        _ source: FrameHandle, into target: FrameHandle, from color: FrameColor, to targetColor: FrameColor
    )
        throws(KinemaError)
    {
        let key = Key(
            width: source.width, height: source.height, from: source.format, targetWidth: target.width,
            targetHeight: target.height, to: target.format, sourceColor: color, targetColor: targetColor)
        let pooled = pool.withLock { scalers in
            scalers.firstIndex { $0.key == key }.map { scalers.remove(at: $0) }
        }
        let scaler: ScalerHandle
        if let pooled { scaler = pooled } else { scaler = try ScalerHandle(key) }
        // SAFETY: both frames own planes of the key's size and format, and the caller keeps them alive.
        kinema_scale(scaler.context, source.pointer, target.pointer)
        pool.withLock { scalers in
            scalers.append(scaler)
            if scalers.count > poolLimit { scalers.removeFirst() }
        }
    }
}
