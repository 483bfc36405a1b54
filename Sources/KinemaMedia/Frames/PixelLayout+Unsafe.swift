internal import CFFmpeg

/// What the sampler needs to know about one of FFmpeg's pixel formats.
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
        let unfit =
            AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL
            | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT
        let parts = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2].prefix(Int(descriptor.nb_components))
        // XYZ formats have three components and no flag of their own.
        guard flags & UInt64(unfit) == 0, let first = parts.first, format != AV_PIX_FMT_XYZ12LE else { return nil }
        bitDepth = Int(first.depth + first.shift)
        bytesPerSample = bitDepth > 8 ? 2 : 1
        chromaShiftX = Int(descriptor.log2_chroma_w)
        chromaShiftY = Int(descriptor.log2_chroma_h)
        guard (8...16).contains(bitDepth), parts.allSatisfy({ $0.depth + $0.shift == first.depth + first.shift }) else {
            return nil
        }
        let isRGB = flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        guard let layout = isRGB ? Self.packed(parts) : Self.separate(parts, bytesPerSample: bytesPerSample) else {
            return nil
        }
        self.layout = layout
    }

    private static func packed(_ parts: ArraySlice<AVComponentDescriptor>) -> FramePlanes.Layout? {
        guard parts.count == 3, parts.allSatisfy({ $0.plane == 0 && $0.depth == 8 && $0.shift == 0 && $0.step >= 3 })
        else { return nil }
        return .packed(
            red: Int(parts[0].offset), green: Int(parts[1].offset), blue: Int(parts[2].offset),
            bytesPerPixel: Int(parts[0].step))
    }

    private static func separate(_ parts: ArraySlice<AVComponentDescriptor>, bytesPerSample: Int) -> FramePlanes.Layout?
    {
        guard parts[0].plane == 0, parts[0].offset == 0, Int(parts[0].step) == bytesPerSample else { return nil }
        if parts.count == 1 { return .gray }
        guard parts.count == 3 else { return nil }
        let (u, v) = (parts[1], parts[2])
        if u.plane == 1, v.plane == 2, Int(u.step) == bytesPerSample, Int(v.step) == bytesPerSample { return .planar }
        if u.plane == 1, v.plane == 1, Int(u.step) == 2 * bytesPerSample, u.offset + v.offset == Int32(bytesPerSample) {
            return .semiPlanar(swapped: u.offset > v.offset)
        }
        return nil
    }
}

/// Whether pixels of this format carry transparency.
func carriesAlpha(_ format: AVPixelFormat) -> Bool {
    // SAFETY: as above.
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
    return descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
}
