import CFFmpeg
import Foundation
import KinemaCore

extension FrameHandle {
    /// Copies a bitmap into a frame; `paddedToEven` rounds odd sizes up by repeating the last column and row.
    convenience init(_ bitmap: Bitmap, paddedToEven: Bool) throws(KinemaError) {
        let width = paddedToEven ? bitmap.width + bitmap.width % 2 : bitmap.width
        let height = paddedToEven ? bitmap.height + bitmap.height % 2 : bitmap.height
        try self.init(width: width, height: height, format: AV_PIX_FMT_BGRA)
        guard let base = pointer.pointee.data.0 else { throw .outOfMemory }
        let stride = Int(pointer.pointee.linesize.0)
        bitmap.pixels.withUnsafeBytes { pixels in
            // SAFETY: rows of `bitmap.width` pixels fit into the frame's rows, which are longer when padded.
            guard let source = pixels.baseAddress else { return }
            for y in 0..<height {
                let row = UnsafeMutableRawPointer(base + y * stride)
                row.copyMemory(
                    from: source + min(y, bitmap.height - 1) * bitmap.bytesPerRow, byteCount: bitmap.bytesPerRow)
                if width > bitmap.width {
                    (row + bitmap.bytesPerRow).copyMemory(from: row + bitmap.bytesPerRow - 4, byteCount: 4)
                }
            }
        }
    }

    /// Converts a bitmap for the H.264 encoder: 4:2:0 with even sizes. Reuses `spare` if the encoder has released it.
    static func forVideo(_ bitmap: Bitmap, color: FrameColor, spare: FrameHandle?) throws(KinemaError) -> FrameHandle {
        let (width, height) = (bitmap.width + bitmap.width % 2, bitmap.height + bitmap.height % 2)
        let target: FrameHandle
        if let spare, spare.width == width, spare.height == height, av_frame_is_writable(spare.pointer) != 0 {
            target = spare
        } else {
            target = try FrameHandle(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        }
        guard bitmap.width % scalerStep == 0, bitmap.height % 2 == 0 else {
            try ScalerHandle.convert(try FrameHandle(bitmap, paddedToEven: true), into: target, from: .rgb, to: color)
            return target
        }
        try bitmap.pixels.withUnsafeBufferPointer { (pixels) throws(KinemaError) in
            guard let base = pixels.baseAddress else { return }
            // SAFETY: read-only; the frame over the pixels does not outlive this closure.
            let source = try FrameHandle(
                borrowing: UnsafeMutablePointer(mutating: base), width: width, height: height)
            try ScalerHandle.convert(source, into: target, from: .rgb, to: color)
        }
        return target
    }

    func converted(to format: AVPixelFormat, color: FrameColor) throws(KinemaError) -> FrameHandle {
        let target = try FrameHandle(width: width, height: height, format: format)
        try ScalerHandle.convert(self, into: target, from: .rgb, to: color)
        return target
    }

    func setTimestamp(_ timestamp: Int) {
        pointer.pointee.pts = Int64(timestamp)
        pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    }
}

extension Bitmap {
    func stretched(width: Int, height: Int) throws(KinemaError) -> Bitmap {
        let target = try FrameHandle(width: width, height: height, format: AV_PIX_FMT_BGRA)
        try ScalerHandle.convert(try FrameHandle(self, paddedToEven: false), into: target, from: .rgb, to: .rgb)
        guard let plane = target.plane(0) else { throw .outOfMemory }
        defer { withExtendedLifetime(target) {} }
        return PixelOrientation.upright.displayed(plane, storedWidth: width, storedHeight: height)
    }
}
