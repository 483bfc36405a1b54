internal import CFFmpeg
internal import KinemaCore

extension FrameHandle {
    /// A bitmap as a frame of its own whose size is rounded up to even numbers when asked; the last column and row are
    /// repeated into the padding.
    convenience init(_ bitmap: Bitmap, even: Bool) throws(KinemaError) {
        let width = even ? bitmap.width + bitmap.width % 2 : bitmap.width
        let height = even ? bitmap.height + bitmap.height % 2 : bitmap.height
        try self.init(width: width, height: height, format: AV_PIX_FMT_BGRA)
        guard let base = pointer.pointee.data.0 else { throw .outOfMemory }
        let stride = Int(pointer.pointee.linesize.0)
        bitmap.pixels.withUnsafeBytes { pixels in
            // SAFETY: rows of `bitmap.width` pixels fit into the frame's, which are at least one pixel longer when padded.
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

    /// A bitmap as the H.264 encoder takes it: 4:2:0, even sizes; in `spare` when that is free again.
    static func forVideo(_ bitmap: Bitmap, color: FrameColor, spare: FrameHandle?) throws(KinemaError) -> FrameHandle {
        let (width, height) = (bitmap.width + bitmap.width % 2, bitmap.height + bitmap.height % 2)
        let target: FrameHandle
        if let spare, spare.width == width, spare.height == height, av_frame_is_writable(spare.pointer) != 0 {
            target = spare
        } else {
            target = try FrameHandle(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        }
        guard bitmap.width % scalerStep == 0, bitmap.height % 2 == 0 else {
            try ScalerHandle.convert(try FrameHandle(bitmap, even: true), into: target, from: .rgb, to: color)
            return target
        }
        try bitmap.pixels.withUnsafeBufferPointer { (pixels) throws(KinemaError) in
            guard let base = pixels.baseAddress else { return }
            // SAFETY: only read; the frame over the pixels does not outlive this closure.
            let source = try FrameHandle(
                borrowing: UnsafeMutablePointer(mutating: base), width: width, height: height)
            try ScalerHandle.convert(source, into: target, from: .rgb, to: color)
        }
        return target
    }

    /// The same picture in another pixel format.
    func converted(to format: AVPixelFormat, color: FrameColor) throws(KinemaError) -> FrameHandle {
        let target = try FrameHandle(width: width, height: height, format: format)
        try ScalerHandle.convert(self, into: target, from: .rgb, to: color)
        return target
    }

    /// The pixels of a four-byte picture, rows without padding.
    var packedPixels: [UInt8] {
        guard let base = pointer.pointee.data.0 else { return [] }
        let stride = Int(pointer.pointee.linesize.0)
        return (0..<height).flatMap { row in
            // SAFETY: every row has at least `width` pixels of four bytes.
            UnsafeBufferPointer(start: base + row * stride, count: width * 4)
        }
    }

    /// Sets when the frame is shown, in the encoder's time base.
    func setStamp(_ stamp: Int) {
        pointer.pointee.pts = Int64(stamp)
        pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    }
}

extension Bitmap {
    /// The whole picture in another size.
    func stretched(width: Int, height: Int) throws(KinemaError) -> Bitmap {
        let target = try FrameHandle(width: width, height: height, format: AV_PIX_FMT_BGRA)
        try ScalerHandle.convert(try FrameHandle(self, even: false), into: target, from: .rgb, to: .rgb)
        return Bitmap(width: width, height: height, pixels: target.packedPixels)
    }
}
