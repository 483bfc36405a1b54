import CFFmpeg
package import Foundation
package import KinemaCore

/// A planar 4:2:0 picture (I420), 8 bits a sample, without row padding: luma, then two chroma planes of half the size.
package struct PlanarPicture: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Whether the colour matrix is BT.709; otherwise it is BT.601.
    package let isBT709: Bool
    /// Whether samples use the full value range instead of video's limited range.
    package let isFullRange: Bool
    package let samples: Data

    /// Takes the samples; nil if their number does not match the size.
    package init?(width: Int, height: Int, isBT709: Bool, isFullRange: Bool, samples: Data) {
        // Sides beyond 16 bits are useless, and their product could overflow.
        let sides = 1...Int(UInt16.max)
        guard sides.contains(width), sides.contains(height) else { return nil }
        guard samples.count == width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2) else { return nil }
        (self.width, self.height, self.samples) = (width, height, samples)
        (self.isBT709, self.isFullRange) = (isBT709, isFullRange)
    }

    /// The picture as a frame of a stream; throws `.invalidArgument` when it is larger than allowed.
    package func frame(
        _ id: TemporalSegmentIdentifier, maximumWidth: Int, maximumHeight: Int
    ) throws(KinemaError) -> VideoFrame {
        guard width <= maximumWidth, height <= maximumHeight else {
            throw .tooLarge(width, height, limit: (maximumWidth, maximumHeight))
        }
        let handle = try FrameHandle(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        handle.pointer.pointee.colorspace = isBT709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
        handle.pointer.pointee.color_range = isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        samples.withUnsafeBytes { fill(handle.pointer.pointee, from: $0) }
        return VideoFrame(try DecodedPicture(handle, orientation: .upright, isPicture: false), id: id)
    }

    private func fill(_ frame: AVFrame, from samples: UnsafeRawBufferPointer) {
        let half = (width: (width + 1) / 2, height: (height + 1) / 2)
        var source = samples.baseAddress
        for (plane, stride, width, height) in [
            (frame.data.0, frame.linesize.0, width, height), (frame.data.1, frame.linesize.1, half.width, half.height),
            (frame.data.2, frame.linesize.2, half.width, half.height),
        ] {
            guard let plane else { continue }
            for row in 0..<height {
                // SAFETY: the frame has this many rows of at least this width, and `init` checked `samples.count`.
                source.map { UnsafeMutableRawPointer(plane + row * Int(stride)).copyMemory(from: $0, byteCount: width) }
                source = source.map { $0 + width }
            }
        }
    }
}
