import KinemaMedia

// SAFETY: the matrix writes 3 bytes per pixel, for which callers have space.

/// The conversion from luma and chroma to RGB, in fixed-point arithmetic with 14 fraction bits.
struct FixedPointColorMatrix {
    let luma: Int32, offset: Int32
    let redV: Int32, greenU: Int32, greenV: Int32, blueU: Int32

    init(_ matrix: ColorMatrix, bitDepth: Int) {
        // Samples of any bit depth arrive as 8 bits.
        let unit = Float(1 << (bitDepth - 8))
        func fixed(_ value: Float) -> Int32 { Int32((value * unit * 255 * 16384).rounded()) }
        luma = fixed(matrix.lumaScale)
        offset = Int32((matrix.lumaOffset / unit).rounded())
        (redV, greenU, greenV, blueU) = (
            fixed(matrix.redFromV), fixed(matrix.greenFromU), fixed(matrix.greenFromV), fixed(matrix.blueFromU)
        )
    }

    @inline(__always)
    func write(_ y: Int32, _ u: Int32, _ v: Int32, into pixel: UnsafeMutablePointer<UInt8>) {
        let grey = (y &- offset) &* luma &+ 8192
        let (u, v) = (u &- 128, v &- 128)
        pixel[0] = byte((grey &+ v &* redV) &>> 14)
        pixel[1] = byte((grey &+ u &* greenU &+ v &* greenV) &>> 14)
        pixel[2] = byte((grey &+ u &* blueU) &>> 14)
    }

    @inline(__always)
    func write(_ y: SIMD8<Int32>, _ u: SIMD8<UInt16>, _ v: SIMD8<UInt16>, into pixels: UnsafeMutablePointer<UInt8>) {
        let grey = (y &- offset) &* luma &+ 8192
        let (u, v) = (SIMD8<Int32>(truncatingIfNeeded: u) &- 128, SIMD8<Int32>(truncatingIfNeeded: v) &- 128)
        let red = bytes((grey &+ v &* redV) &>> 14)
        let green = bytes((grey &+ u &* greenU &+ v &* greenV) &>> 14)
        let blue = bytes((grey &+ u &* blueU) &>> 14)
        for lane in 0..<8 {
            pixels[3 &* lane] = UInt8(truncatingIfNeeded: red[lane])
            pixels[3 &* lane &+ 1] = UInt8(truncatingIfNeeded: green[lane])
            pixels[3 &* lane &+ 2] = UInt8(truncatingIfNeeded: blue[lane])
        }
    }

    @inline(__always)
    private func bytes(_ values: SIMD8<Int32>) -> SIMD8<Int32> {
        values.clamped(lowerBound: .zero, upperBound: SIMD8(repeating: 255))
    }

    @inline(__always)
    private func byte(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value, 0), 255)) }
}
