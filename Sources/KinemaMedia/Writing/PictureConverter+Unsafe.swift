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

    /// A bitmap as the H.264 encoder takes it: 4:2:0, even sizes.
    static func forVideo(_ bitmap: Bitmap, color: FrameColor) throws(KinemaError) -> FrameHandle {
        try FrameHandle(bitmap, even: true).converted(to: AV_PIX_FMT_YUV420P, color: color)
    }

    /// The same picture in another pixel format.
    func converted(to format: AVPixelFormat, color: FrameColor) throws(KinemaError) -> FrameHandle {
        let target = try FrameHandle(width: width, height: height, format: format)
        try ScalerHandle.convert(self, into: target, from: .rgb, to: color)
        return target
    }

    /// Sets when the frame is shown, in the encoder's time base.
    func setStamp(_ stamp: Int) {
        pointer.pointee.pts = Int64(stamp)
        pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    }
}
