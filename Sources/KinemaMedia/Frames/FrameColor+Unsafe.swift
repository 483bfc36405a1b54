import CFFmpeg

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
