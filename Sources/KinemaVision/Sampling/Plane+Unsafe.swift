import KinemaMedia

// SAFETY: a plane reads where its callers say, which is inside the picture; the matrix writes 3 bytes a pixel.

/// One plane of samples and how to read between them.
struct Plane<Sample: FixedWidthInteger & UnsignedInteger> {
    let base: UnsafePointer<Sample>
    let stride: Int
    let right: Int
    let down: Int
    let shift: Int32

    init(_ planes: borrowing FramePlanes, _ index: Int) {
        let plane = [planes.planes.0, planes.planes.1, planes.planes.2][index]
        base = plane.base.assumingMemoryBound(to: Sample.self)
        stride = plane.bytesPerRow / MemoryLayout<Sample>.size
        right = planes.storedWidth > 1 ? 1 : 0
        down = planes.storedHeight > 1 ? stride : 0
        shift = Int32(planes.bitDepth - 8)
    }

    /// The sample between its four neighbours, 0...255.
    @inline(__always)
    func bilinear(_ x: Int, _ y: Int) -> Int32 {
        let offset = (y &>> 16) &* stride &+ (x &>> 16)
        let start = base + offset
        let wx = Int32(truncatingIfNeeded: (x &>> 8) & 255)
        let wy = Int32(truncatingIfNeeded: (y &>> 8) & 255)
        let top = value(start[0]) &* (256 &- wx) &+ value(start[right]) &* wx
        let bottom = value(start[down]) &* (256 &- wx) &+ value(start[down &+ right]) &* wx
        return (top &* (256 &- wy) &+ bottom &* wy &+ 0x8000) &>> 16
    }

    /// Two samples side by side as 8 bits each, the left one in the lower byte.
    @inline(__always)
    func pair(_ start: UnsafePointer<Sample>) -> UInt16 {
        if Sample.self == UInt8.self {
            return UInt16(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt16.self))
        }
        return UInt16(truncatingIfNeeded: value(start[0]) | value(start[1]) &<< 8)
    }

    @inline(__always)
    func value(_ sample: Sample) -> Int32 {
        // Said apart, since a shift that is known only at run time is a slow one.
        Sample.self == UInt8.self ? Int32(truncatingIfNeeded: sample) : Int32(truncatingIfNeeded: sample) &>> shift
    }
}

/// Luma and chroma to red, green, blue in whole numbers with 13 fraction bits: factors below 4 fit in 16 bits, and so
/// does each product's upper and lower half.
struct ColourMatrix {
    let luma: Int16, offset: Int16
    let redV: Int16, greenU: Int16, greenV: Int16, blueU: Int16

    private static let fractionBits: Int32 = 13
    private static let half: Int32 = 1 << (fractionBits - 1)

    init(_ matrix: ColorMatrix, bitDepth: Int) {
        // Samples arrive as 8 bits, whatever they are stored in, and leave as 0...255.
        let unit = Float(1 << (bitDepth - 8))
        func fixed(_ value: Float) -> Int16 { Int16((value * unit * 255 * Float(1 << Self.fractionBits)).rounded()) }
        luma = fixed(matrix.lumaScale)
        offset = Int16((matrix.lumaOffset / unit).rounded())
        (redV, greenU, greenV, blueU) = (
            fixed(matrix.redFromV), fixed(matrix.greenFromU), fixed(matrix.greenFromV), fixed(matrix.blueFromU)
        )
    }

    @inline(__always)
    func write(_ y: Int32, _ u: Int32, _ v: Int32, into pixel: UnsafeMutablePointer<UInt8>) {
        let grey = (y &- Int32(offset)) &* Int32(luma) &+ Self.half
        let (u, v) = (u &- 128, v &- 128)
        pixel[0] = byte((grey &+ v &* Int32(redV)) &>> Self.fractionBits)
        pixel[1] = byte((grey &+ u &* Int32(greenU) &+ v &* Int32(greenV)) &>> Self.fractionBits)
        pixel[2] = byte((grey &+ u &* Int32(blueU)) &>> Self.fractionBits)
    }

    /// Eight pixels at once: their 24 bytes and two more, which whoever writes the next pixel overwrites.
    @inline(__always)
    func write(
        _ y: SIMD8<Int16>, _ u: SIMD8<UInt16>, _ v: SIMD8<UInt16>, into pixels: UnsafeMutablePointer<UInt8>
    ) {
        let (u, v) = (SIMD8<Int16>(truncatingIfNeeded: u) &- 128, SIMD8<Int16>(truncatingIfNeeded: v) &- 128)
        let grey = product(y &- offset, luma) &+ 8
        let red = bytes(grey &+ product(v, redV))
        let green = bytes(grey &+ product(u, greenU) &+ product(v, greenV))
        let blue = bytes(grey &+ product(u, blueU))
        // Four bytes a pixel, two pixels to a word, without the fourth byte.
        let words =
            SIMD8<UInt32>(truncatingIfNeeded: red | green &<< 8)
            | SIMD8<UInt32>(truncatingIfNeeded: blue) &<< 16
        let pairs = unsafeBitCast(words, to: SIMD4<UInt64>.self)
        let packed = pairs & 0xff_ffff | (pairs &>> 8) & 0xffff_ff00_0000
        let target = UnsafeMutableRawPointer(pixels)
        for pair in 0..<4 {
            target.storeBytes(of: packed[pair].littleEndian, toByteOffset: 6 &* pair, as: UInt64.self)
        }
    }

    /// A product with 4 fraction bits.
    @inline(__always)
    private func product(_ values: SIMD8<Int16>, _ factor: Int16) -> SIMD8<Int16> {
        (values &<< 7).upperHalf(ofProductWith: SIMD8(repeating: factor))
    }

    @inline(__always)
    private func bytes(_ values: SIMD8<Int16>) -> SIMD8<UInt16> {
        SIMD8<UInt16>(
            truncatingIfNeeded: (values &>> 4).clamped(lowerBound: .zero, upperBound: SIMD8(repeating: 255)))
    }

    @inline(__always)
    private func byte(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(max(value, 0), 255))
    }
}

extension SIMD8<Int16> {
    /// Each product's upper 16 bits, which processors have an instruction for.
    @inline(__always)
    func upperHalf(ofProductWith other: Self) -> Self {
        Self(
            truncatingIfNeeded: (SIMD8<Int32>(truncatingIfNeeded: self) &* SIMD8<Int32>(truncatingIfNeeded: other))
                &>> 16)
    }
}
