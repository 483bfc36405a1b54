import CFFmpeg

/// Converts stored luma and chroma to red, green and blue in 0...1 (gamma-encoded).
///
/// With Y, U and V as stored (integers of the sample's bit depth): R = `lumaScale` (Y - `lumaOffset`) + `redFromV` (V -
/// `chromaOffset`), and so on; clamp the result to 0...1.
package struct ColorMatrix: Hashable, Sendable {
    package var lumaOffset: Float
    package var lumaScale: Float
    package var chromaOffset: Float
    package var redFromV: Float
    package var greenFromU: Float
    package var greenFromV: Float
    package var blueFromU: Float

    /// The standards' luma weights of red and blue.
    package enum Standard: Hashable, Sendable, CaseIterable {
        /// ITU-R BT.601-7: standard definition, JPEG, WebP.
        case bt601
        /// ITU-R BT.709-6: high definition.
        case bt709
        /// ITU-R BT.2020-2, non-constant luminance: ultra high definition.
        case bt2020
        /// SMPTE 240M-1999: early high definition.
        case smpte240
        /// FCC Title 47, 73.682: early NTSC.
        case fcc

        var weights: (red: Float, blue: Float) {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            case .smpte240: (0.212, 0.087)
            case .fcc: (0.30, 0.11)
            }
        }
    }

    /// The matrix of a standard for samples of 8...16 bits.
    ///
    /// Limited range has black at 16 and white at 235 of 255, chroma 16...240 (BT.601-7 section 2.5.3), scaled by the
    /// bit depth; full range uses every value.
    package init(_ standard: Standard, fullRange: Bool, bitDepth: Int) {
        let (red, blue) = standard.weights
        let green = 1 - red - blue
        let unit = Float(1 << (bitDepth - 8))
        let top = Float(1 << bitDepth) - 1
        lumaOffset = fullRange ? 0 : 16 * unit
        lumaScale = 1 / (fullRange ? top : 219 * unit)
        chromaOffset = 128 * unit
        let chromaScale = 1 / (fullRange ? top : 224 * unit)
        redFromV = 2 * (1 - red) * chromaScale
        blueFromU = 2 * (1 - blue) * chromaScale
        greenFromV = -2 * (1 - red) * red / green * chromaScale
        greenFromU = -2 * (1 - blue) * blue / green * chromaScale
    }

    /// No colour conversion, for samples of 8...16 bits that are already red, green, blue or grey.
    package static func none(bitDepth: Int) -> ColorMatrix {
        ColorMatrix(.bt601, fullRange: true, bitDepth: bitDepth)
    }
}

/// The colour encoding of a frame's samples.
struct FrameColor: Hashable, Sendable {
    var standard: ColorMatrix.Standard
    /// Whether samples use the full value range instead of video's limited range.
    var fullRange: Bool

    /// The encoding of red, green and blue samples: no matrix, full range.
    static let rgb = FrameColor(standard: .bt601, fullRange: true)

    /// The assumed standard of untagged video: BT.709 above 576 lines, else BT.601, as players assume.
    static func standard(ofHeight height: Int) -> ColorMatrix.Standard { height > 576 ? .bt709 : .bt601 }
}

extension FrameColor {
    /// Reads the frame's colour tags and fills in missing ones.
    ///
    /// Untagged video is BT.709 above 576 lines, else BT.601, as players assume; JPEG and WebP are always BT.601 (JFIF
    /// 1.02; RFC 6386 section 9.2). Untagged YUV is limited range, except JPEG's own formats and grey pictures.
    init(
        space: AVColorSpace, range: AVColorRange, format: AVPixelFormat, height: Int, isPicture: Bool, isGray: Bool
    ) {
        switch space {
        case AVCOL_SPC_BT709: standard = .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: standard = .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: standard = .bt2020
        case AVCOL_SPC_SMPTE240M: standard = .smpte240
        case AVCOL_SPC_FCC: standard = .fcc
        default: standard = isPicture ? .bt601 : Self.standard(ofHeight: height)
        }
        switch range {
        case AVCOL_RANGE_JPEG: fullRange = true
        case AVCOL_RANGE_MPEG: fullRange = false
        default: fullRange = Self.jpegFormats.contains(format) || (isPicture && isGray)
        }
    }

    private static let jpegFormats = [
        AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
    ]

    var scalerStandard: Int32 {
        switch standard {
        case .bt601: SWS_CS_ITU601
        case .bt709: SWS_CS_ITU709
        case .bt2020: SWS_CS_BT2020
        case .smpte240: SWS_CS_SMPTE240M
        case .fcc: SWS_CS_FCC
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

func hasAlpha(_ format: AVPixelFormat) -> Bool {
    // SAFETY: the descriptors are constant tables inside libavutil.
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
    return descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
}
