import CFFmpeg
import KinemaCore
import Synchronization

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
