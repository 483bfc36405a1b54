import KinemaMedia

// SAFETY: every source reads only inside its planes: callers clamp positions to the picture, and a source reads one
// sample further right and down only if the picture has one. Planes are borrowed for one visit.

/// A picture read as interpolated RGB at positions inside it, in units of 1/65536 pixel.
protocol PixelSource {
    var size: (width: Int, height: Int) { get }

    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>)

    /// Reads pixels along a straight line, all of them inside the picture; `next` leads to the line after it.
    func read(
        _ count: Int, from start: SamplePosition, step: SamplePosition, next: SamplePosition,
        into pixels: UnsafeMutablePointer<UInt8>)
}

extension PixelSource {
    @inline(__always)
    func read(
        _ count: Int, from start: SamplePosition, step: SamplePosition, next: SamplePosition,
        into pixels: UnsafeMutablePointer<UInt8>
    ) {
        var position = start
        for index in 0..<count {
            read(position.x, position.y, into: pixels + 3 &* index)
            position = position + step
        }
    }
}

struct Packed: PixelSource {
    let size: (width: Int, height: Int)
    let base: UnsafePointer<UInt8>
    let stride: Int, step: Int, right: Int, down: Int
    let offsets: (Int, Int, Int)

    init(_ planes: borrowing FramePlanes, offsets: (Int, Int, Int), step: Int) {
        size = (planes.storedWidth, planes.storedHeight)
        base = planes.planes.0.base.assumingMemoryBound(to: UInt8.self)
        stride = planes.planes.0.bytesPerRow
        (self.step, self.offsets) = (step, offsets)
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

// SAFETY: as for every PixelSource; eight samples are read at once only if the picture has a second column and row.

/// A picture with interpolated luma and nearest-sample chroma; the models depend mostly on luma.
protocol LumaSource: PixelSource {
    associatedtype Sample: FixedWidthInteger & UnsignedInteger
    var y: Plane<Sample> { get }
    var colours: FixedPointColorMatrix { get }

    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16)

    /// The planes as the vectorised loop reads them; nil for formats that it does not read.
    var lines: LinePlanes? { get }
}

extension LumaSource {
    @inline(__always)
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        let (u, v) = chroma(x, y)
        colours.write(self.y.bilinear(x, y), Int32(u), Int32(v), into: pixel)
    }

    @inline(__always)
    func read(
        _ count: Int, from start: SamplePosition, step: SamplePosition, next: SamplePosition,
        into pixels: UnsafeMutablePointer<UInt8>
    ) {
        var done = lines?.sample(count, from: start, step: step, next: next, into: pixels) ?? 0
        var position = start + step * done
        if y.right == 1, y.down != 0 {
            while done &+ 8 <= count {
                readEight(from: position, step: step, into: pixels + 3 &* done)
                position = position + step * 8
                done &+= 8
            }
        }
        while done < count {
            read(position.x, position.y, into: pixels + 3 &* done)
            position = position + step
            done &+= 1
        }
    }

    /// Reads eight pixels at once, with the same result as `Plane.bilinear`.
    @inline(__always)
    private func readEight(from start: SamplePosition, step: SamplePosition, into pixels: UnsafeMutablePointer<UInt8>) {
        var (top, bottom) = (SIMD8<UInt16>(), SIMD8<UInt16>())
        var (u, v) = (SIMD8<UInt16>(), SIMD8<UInt16>())
        var position = start
        for lane in 0..<8 {
            let corner = y.base + ((position.y &>> 16) &* y.stride &+ (position.x &>> 16))
            top[lane] = y.pair(corner)
            bottom[lane] = y.pair(corner + y.down)
            (u[lane], v[lane]) = chroma(position.x, position.y)
            position = position + step
        }
        let across = SIMD8<UInt16>(truncatingIfNeeded: Self.weights(start.x, step.x))
        let weight = Self.weights(start.y, step.y)
        let (left, above): (SIMD8<UInt16>, SIMD8<Int32>) = (256 &- across, 256 &- weight)
        // At most 255 * 256, which fits into 16 bits.
        @inline(__always) func mixed(_ pairs: SIMD8<UInt16>) -> SIMD8<Int32> {
            let (first, second): (SIMD8<UInt16>, SIMD8<UInt16>) = (pairs & 255, pairs &>> 8)
            return SIMD8<Int32>(truncatingIfNeeded: first &* left &+ second &* across)
        }
        let luma: SIMD8<Int32> = mixed(top) &* above &+ mixed(bottom) &* weight
        colours.write((luma &+ 0x8000) &>> 16, u, v, into: pixels)
    }

    /// The interpolation weights of the second neighbour at eight consecutive positions, 0...255.
    @inline(__always)
    private static func weights(_ start: Int, _ step: Int) -> SIMD8<Int32> {
        let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
        // Only the lower 16 bits matter, so the upper ones may overflow.
        let positions = lanes &* Int32(truncatingIfNeeded: step) &+ Int32(truncatingIfNeeded: start)
        return (positions &>> 8) & 255
    }
}

// SAFETY: as for every PixelSource; the nearest chroma sample of a position inside the picture is inside its plane.

protocol ChromaGrid {
    init(_ planes: borrowing FramePlanes)
    func column(_ x: Int) -> Int
    func row(_ y: Int) -> Int
}

/// 4:2:0 subsampling, as in nearly every video; a compile-time constant is twice as fast.
struct HalfChroma: ChromaGrid {
    init(_ planes: borrowing FramePlanes) {}

    @inline(__always)
    func column(_ x: Int) -> Int { (x &+ 0x8000) &>> 17 }
    @inline(__always)
    func row(_ y: Int) -> Int { (y &+ 0x8000) &>> 17 }
}

/// Any other subsampling.
struct SharedChroma: ChromaGrid {
    private let shiftX: Int, shiftY: Int

    init(_ planes: borrowing FramePlanes) {
        (shiftX, shiftY) = (planes.chromaShiftX + 16, planes.chromaShiftY + 16)
    }

    @inline(__always)
    func column(_ x: Int) -> Int { (x &+ 0x8000) &>> shiftX }
    @inline(__always)
    func row(_ y: Int) -> Int { (y &+ 0x8000) &>> shiftY }
}

/// Y, U and V in separate planes.
struct Planar<Sample: FixedWidthInteger & UnsignedInteger, Grid: ChromaGrid>: LumaSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>, u: Plane<Sample>, v: Plane<Sample>
    let grid: Grid
    let colours: FixedPointColorMatrix
    let lines: LinePlanes?

    init(_ planes: borrowing FramePlanes) {
        size = (planes.storedWidth, planes.storedHeight)
        (y, u, v) = (Plane(planes, 0), Plane(planes, 1), Plane(planes, 2))
        grid = Grid(planes)
        colours = FixedPointColorMatrix(planes.matrix, bitDepth: planes.bitDepth)
        lines =
            u.stride == v.stride
            ? LinePlanes(
                size, y, u: u.base, v: v.base, chromaStride: u.stride,
                shift: (planes.chromaShiftX, planes.chromaShiftY), isInterleaved: false, colours) : nil
    }

    @inline(__always)
    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16) {
        let (column, row) = (grid.column(x), grid.row(y))
        return (
            UInt16(truncatingIfNeeded: u.value(u.base[row &* u.stride &+ column])),
            UInt16(truncatingIfNeeded: v.value(v.base[row &* v.stride &+ column]))
        )
    }
}

/// Y in one plane, interleaved U and V in another.
struct SemiPlanar<Sample: FixedWidthInteger & UnsignedInteger, Grid: ChromaGrid>: LumaSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>, pairs: Plane<Sample>
    let grid: Grid
    let swapped: Bool
    let colours: FixedPointColorMatrix
    let lines: LinePlanes?

    init(_ planes: borrowing FramePlanes, _ swapped: Bool) {
        size = (planes.storedWidth, planes.storedHeight)
        (y, pairs) = (Plane(planes, 0), Plane(planes, 1))
        grid = Grid(planes)
        self.swapped = swapped
        colours = FixedPointColorMatrix(planes.matrix, bitDepth: planes.bitDepth)
        lines = LinePlanes(
            size, y, u: pairs.base + (swapped ? 1 : 0), v: pairs.base + (swapped ? 0 : 1), chromaStride: pairs.stride,
            shift: (planes.chromaShiftX, planes.chromaShiftY), isInterleaved: true, colours)
    }

    @inline(__always)
    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16) {
        let pair = pairs.pair(pairs.base + (grid.row(y) &* pairs.stride &+ 2 &* grid.column(x)))
        return swapped ? (pair &>> 8, pair & 255) : (pair & 255, pair &>> 8)
    }
}

struct Gray<Sample: FixedWidthInteger & UnsignedInteger>: LumaSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>
    let colours: FixedPointColorMatrix
    let lines: LinePlanes? = nil

    init(_ planes: borrowing FramePlanes) {
        size = (planes.storedWidth, planes.storedHeight)
        y = Plane(planes, 0)
        colours = FixedPointColorMatrix(planes.matrix, bitDepth: planes.bitDepth)
    }

    @inline(__always)
    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16) { (128, 128) }
}

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
        let chroma: SIMD8<Int32> = u &* greenU &+ v &* greenV
        let green = bytes((grey &+ chroma) &>> 14)
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
