import KinemaMedia

// SAFETY: every source reads only inside its planes: callers clamp positions into the picture, and a source reaches one
// sample further right and down only where the picture has one. Planes are borrowed for the time of one visit.

/// A way to read bilinear samples as RGB at positions in steps of 1/65536 pixel, inside the picture.
protocol PixelSource {
    var size: (width: Int, height: Int) { get }

    /// One sample.
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>)

    /// Samples along a straight line, all of them inside the picture.
    func read(_ count: Int, from start: SamplePosition, step: SamplePosition, into pixels: UnsafeMutablePointer<UInt8>)
}

/// A place in a stored picture, or a way from one to another, in steps of 1/65536 pixel.
struct SamplePosition: Equatable {
    var x: Int, y: Int

    @inline(__always)
    static func + (a: Self, b: Self) -> Self { Self(x: a.x &+ b.x, y: a.y &+ b.y) }
    @inline(__always)
    static func * (a: Self, count: Int) -> Self { Self(x: a.x &* count, y: a.y &* count) }
}

extension PixelSource {
    @inline(__always)
    func read(_ count: Int, from start: SamplePosition, step: SamplePosition, into pixels: UnsafeMutablePointer<UInt8>)
    {
        var place = start
        for index in 0..<count {
            read(place.x, place.y, into: pixels + 3 &* index)
            place = place + step
        }
    }
}

/// Red, green and blue side by side.
struct Packed: PixelSource {
    let size: (width: Int, height: Int)
    let base: UnsafePointer<UInt8>
    let stride: Int, step: Int, right: Int, down: Int
    let offsets: (Int, Int, Int)

    init(_ planes: borrowing FramePlanes, offsets: (Int, Int, Int), step: Int) {
        size = (planes.storedWidth, planes.storedHeight)
        base = planes.planes.0.base.assumingMemoryBound(to: UInt8.self)
        stride = planes.planes.0.bytesPerRow
        self.step = step
        self.offsets = offsets
        right = planes.storedWidth > 1 ? step : 0
        down = planes.storedHeight > 1 ? stride : 0
    }

    @inline(__always)
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        let offset = (y &>> 16) &* stride &+ (x &>> 16) &* step
        let start = base + offset
        let wx = Int32(truncatingIfNeeded: (x &>> 8) & 255)
        let wy = Int32(truncatingIfNeeded: (y &>> 8) & 255)
        pixel[0] = channel(start + offsets.0, wx, wy)
        pixel[1] = channel(start + offsets.1, wx, wy)
        pixel[2] = channel(start + offsets.2, wx, wy)
    }

    @inline(__always)
    private func channel(_ start: UnsafePointer<UInt8>, _ wx: Int32, _ wy: Int32) -> UInt8 {
        let left = 256 &- wx
        let top: Int32 = Int32(start[0]) &* left &+ Int32(start[right]) &* wx
        let bottom: Int32 = Int32(start[down]) &* left &+ Int32(start[down &+ right]) &* wx
        let value: Int32 = (top &* (256 &- wy) &+ bottom &* wy &+ 0x8000) &>> 16
        return UInt8(truncatingIfNeeded: value)
    }
}
