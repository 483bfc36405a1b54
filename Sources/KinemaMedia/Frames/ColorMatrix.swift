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
