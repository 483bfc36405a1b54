import KinemaMedia

// SAFETY: callers read a plane only inside the picture; the matrix writes 3 bytes per pixel.

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

    /// The value interpolated from four samples, 0...255.
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

    /// Two neighbouring samples as 8 bits each, the left one in the lower byte.
    @inline(__always)
    func pair(_ start: UnsafePointer<Sample>) -> UInt16 {
        if Sample.self == UInt8.self {
            return UInt16(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt16.self))
        }
        return UInt16(truncatingIfNeeded: value(start[0]) | value(start[1]) &<< 8)
    }

    @inline(__always)
    func value(_ sample: Sample) -> Int32 { Int32(truncatingIfNeeded: sample) &>> shift }
}

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
