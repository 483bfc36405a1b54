import CFFmpeg
package import Foundation
package import KinemaCore

/// A planar 4:2:0 picture (I420), as cameras deliver it: 8 bits a sample, without row padding.
///
/// The luma plane comes first, then two chroma planes with half its columns and rows.
package struct PlanarPicture: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Whether the colour matrix is BT.709; otherwise it is BT.601.
    package let isBT709: Bool
    /// Whether samples use the full value range instead of video's limited range.
    package let isFullRange: Bool
    /// The three planes, one after the other.
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

    /// The picture as a frame of a stream.
    ///
    /// Throws `.invalidArgument` when it is larger than allowed.
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
                // SAFETY: the frame has this many rows of at least this width, and `init` checked the number of
                // samples.
                source.map { UnsafeMutableRawPointer(plane + row * Int(stride)).copyMemory(from: $0, byteCount: width) }
                source = source.map { $0 + width }
            }
        }
    }
}

/// The memory layout of one of FFmpeg's pixel formats, for the sampler.
struct PixelLayout: Hashable, Sendable {
    var layout: FramePlanes.Layout
    var bytesPerSample: Int
    var bitDepth: Int
    var chromaShiftX: Int
    var chromaShiftY: Int

    /// Reads FFmpeg's description of the format; nil when its samples must be converted first.
    init?(_ format: AVPixelFormat) {
        // SAFETY: the descriptors are constant tables inside libavutil.
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return nil }
        let flags = descriptor.flags
        let unsupported =
            AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL
            | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT
        let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2].prefix(Int(descriptor.nb_components))
        // XYZ formats have three components and no flag of their own.
        guard flags & UInt64(unsupported) == 0, let first = components.first, format != AV_PIX_FMT_XYZ12LE else {
            return nil
        }
        bitDepth = Int(first.depth + first.shift)
        bytesPerSample = bitDepth > 8 ? 2 : 1
        chromaShiftX = Int(descriptor.log2_chroma_w)
        chromaShiftY = Int(descriptor.log2_chroma_h)
        guard (8...16).contains(bitDepth), components.allSatisfy({ $0.depth + $0.shift == first.depth + first.shift })
        else {
            return nil
        }
        let isRGB = flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        guard let layout = isRGB ? Self.packed(components) : Self.separate(components, bytesPerSample: bytesPerSample)
        else {
            return nil
        }
        self.layout = layout
    }

    private static func packed(_ components: ArraySlice<AVComponentDescriptor>) -> FramePlanes.Layout? {
        guard components.count == 3,
            components.allSatisfy({ $0.plane == 0 && $0.depth == 8 && $0.shift == 0 && $0.step >= 3 })
        else { return nil }
        return .packed(
            red: Int(components[0].offset), green: Int(components[1].offset), blue: Int(components[2].offset),
            bytesPerPixel: Int(components[0].step))
    }

    private static func separate(_ components: ArraySlice<AVComponentDescriptor>, bytesPerSample: Int) -> FramePlanes
        .Layout?
    {
        guard components[0].plane == 0, components[0].offset == 0, Int(components[0].step) == bytesPerSample else {
            return nil
        }
        if components.count == 1 { return .gray }
        guard components.count == 3 else { return nil }
        let (u, v) = (components[1], components[2])
        if u.plane == 1, v.plane == 2, Int(u.step) == bytesPerSample, Int(v.step) == bytesPerSample { return .planar }
        if u.plane == 1, v.plane == 1, Int(u.step) == 2 * bytesPerSample, u.offset + v.offset == Int32(bytesPerSample) {
            return .semiPlanar(swapped: u.offset > v.offset)
        }
        return nil
    }
}

/// Whether pixels of this format have an alpha channel.
func hasAlpha(_ format: AVPixelFormat) -> Bool {
    // SAFETY: the descriptors are constant tables inside libavutil.
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
    return descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
}

/// Borrowed access to a frame's samples, without a copy.
///
/// Valid only inside the closure of `VideoFrame.withPlanes`.
package struct FramePlanes: ~Copyable {
    /// How samples are laid out in memory.
    package enum Layout: Hashable, Sendable {
        /// One plane of grey.
        case gray
        /// Three planes: Y, U, V.
        case planar
        /// Two planes: Y, then U and V interleaved; V comes first when `swapped`.
        case semiPlanar(swapped: Bool)
        /// One plane of pixels, 8 bits a channel, with the byte offsets of red, green and blue in a pixel.
        case packed(red: Int, green: Int, blue: Int, bytesPerPixel: Int)
    }

    // SAFETY: the pointers are valid inside the closure that borrows the planes; this value cannot be copied out.
    /// The memory of one plane.
    package struct Plane {
        /// The first sample of the top row.
        package let base: UnsafeRawPointer
        /// The distance from one row to the next; negative when rows are stored bottom up.
        package let bytesPerRow: Int
    }

    package let layout: Layout
    /// Columns as stored, before turning.
    package let storedWidth: Int
    /// Rows as stored, before turning.
    package let storedHeight: Int
    /// Bytes a sample: 1, or 2 in native byte order.
    package let bytesPerSample: Int
    /// Bits a sample, 8...16; the largest value is 2 to this power minus 1.
    package let bitDepth: Int
    /// Chroma has `storedWidth >> chromaShiftX` columns, rounded up.
    package let chromaShiftX: Int
    /// Chroma has `storedHeight >> chromaShiftY` rows, rounded up.
    package let chromaShiftY: Int
    /// One plane for grey and packed pixels, two for semi-planar, three for planar; the rest repeat the first.
    package let planes: (Plane, Plane, Plane)
    /// The conversion from samples to colours; packed pixels use only `lumaScale` (1/255).
    package let matrix: ColorMatrix
    /// How the stored picture is turned for display.
    package let orientation: PixelOrientation

    /// Columns as displayed.
    package var width: Int { orientation.transposed ? storedHeight : storedWidth }
    /// Rows as displayed.
    package var height: Int { orientation.transposed ? storedWidth : storedHeight }
    /// Maps displayed to stored pixel coordinates.
    package var map: PixelMap { orientation.map(storedWidth: storedWidth, storedHeight: storedHeight) }
}
