import CFFmpeg

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

func hasAlpha(_ format: AVPixelFormat) -> Bool {
    // SAFETY: the descriptors are constant tables inside libavutil.
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
    return descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
}
