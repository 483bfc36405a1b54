import KinemaMedia

// SAFETY: callers read a plane only inside the picture.

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
