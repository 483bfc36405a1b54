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

// SAFETY: as for every PixelSource; eight samples are read at once only where the picture has a second column and row.

/// A source of luma between samples and of chroma at the nearest one: the eye of the models is luma.
protocol LumaSource: PixelSource {
    associatedtype Sample: FixedWidthInteger & UnsignedInteger
    var y: Plane<Sample> { get }
    var colours: ColourMatrix { get }

    /// U and V at a position, 0...255.
    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16)
}

extension LumaSource {
    @inline(__always)
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        let (u, v) = chroma(x, y)
        colours.write(self.y.bilinear(x, y), Int32(u), Int32(v), into: pixel)
    }

    @inline(__always)
    func read(_ count: Int, from start: SamplePosition, step: SamplePosition, into pixels: UnsafeMutablePointer<UInt8>)
    {
        var place = start
        var done = 0
        if y.right == 1, y.down != 0 {
            while done &+ 8 <= count {
                readEight(from: place, step: step, into: pixels + 3 &* done)
                place = place + step * 8
                done &+= 8
            }
        }
        while done < count {
            read(place.x, place.y, into: pixels + 3 &* done)
            place = place + step
            done &+= 1
        }
    }

    /// Eight samples: fetched one by one, computed side by side, with the same result as `Plane.bilinear`.
    @inline(__always)
    private func readEight(
        from start: SamplePosition, step: SamplePosition, into pixels: UnsafeMutablePointer<UInt8>
    ) {
        var (top, bottom) = (SIMD8<UInt16>(), SIMD8<UInt16>())
        var (u, v) = (SIMD8<UInt16>(), SIMD8<UInt16>())
        var place = start
        for lane in 0..<8 {
            let corner = y.base + ((place.y &>> 16) &* y.stride &+ (place.x &>> 16))
            top[lane] = y.pair(corner)
            bottom[lane] = y.pair(corner + y.down)
            (u[lane], v[lane]) = chroma(place.x, place.y)
            place = place + step
        }
        let across = SIMD8<UInt16>(truncatingIfNeeded: Self.eight(start.x, step.x))
        let weight = Self.eight(start.y, step.y)
        // At most 255 * 256, which 16 bits hold.
        let upper = (top & 255) &* (256 &- across) &+ (top &>> 8) &* across
        let lower = (bottom & 255) &* (256 &- across) &+ (bottom &>> 8) &* across
        let luma =
            SIMD8<Int32>(truncatingIfNeeded: upper) &* (256 &- weight)
            &+ SIMD8<Int32>(truncatingIfNeeded: lower) &* weight &+ 0x8000
        colours.write(luma &>> 16, u, v, into: pixels)
    }

    /// The weights of the further neighbour at eight positions in a row, 0...255.
    @inline(__always)
    private static func eight(_ start: Int, _ step: Int) -> SIMD8<Int32> {
        let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
        // Only the lower 16 bits count, so it does not matter when the upper ones overflow.
        let places = lanes &* Int32(truncatingIfNeeded: step) &+ Int32(truncatingIfNeeded: start)
        return (places &>> 8) & 255
    }
}

// SAFETY: as for every PixelSource; the nearest chroma sample of a position inside the picture lies inside its plane.

/// Which chroma sample belongs to a position.
protocol ChromaGrid {
    init(_ planes: borrowing FramePlanes)
    func column(_ x: Int) -> Int
    func row(_ y: Int) -> Int
}

/// Half as many columns and rows as luma, as nearly every video has: known when compiling, it is twice as quick.
struct HalfChroma: ChromaGrid {
    init(_ planes: borrowing FramePlanes) {}

    @inline(__always)
    func column(_ x: Int) -> Int { (x &+ 0x8000) &>> 17 }
    @inline(__always)
    func row(_ y: Int) -> Int { (y &+ 0x8000) &>> 17 }
}

/// Any other share of luma's columns and rows.
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

/// Y, U and V in planes of their own.
struct Planar<Sample: FixedWidthInteger & UnsignedInteger, Grid: ChromaGrid>: LumaSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>, u: Plane<Sample>, v: Plane<Sample>
    let grid: Grid
    let colours: ColourMatrix

    init(_ planes: borrowing FramePlanes) {
        size = (planes.storedWidth, planes.storedHeight)
        (y, u, v) = (Plane(planes, 0), Plane(planes, 1), Plane(planes, 2))
        grid = Grid(planes)
        colours = ColourMatrix(planes.matrix, bitDepth: planes.bitDepth)
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

/// Y in one plane, U and V side by side in another.
struct SemiPlanar<Sample: FixedWidthInteger & UnsignedInteger, Grid: ChromaGrid>: LumaSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>, pairs: Plane<Sample>
    let grid: Grid
    let swapped: Bool
    let colours: ColourMatrix

    init(_ planes: borrowing FramePlanes, _ swapped: Bool) {
        size = (planes.storedWidth, planes.storedHeight)
        (y, pairs) = (Plane(planes, 0), Plane(planes, 1))
        grid = Grid(planes)
        self.swapped = swapped
        colours = ColourMatrix(planes.matrix, bitDepth: planes.bitDepth)
    }

    @inline(__always)
    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16) {
        let pair = pairs.pair(pairs.base + (grid.row(y) &* pairs.stride &+ 2 &* grid.column(x)))
        return swapped ? (pair &>> 8, pair & 255) : (pair & 255, pair &>> 8)
    }
}

/// Luma only.
struct Gray<Sample: FixedWidthInteger & UnsignedInteger>: LumaSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>
    let colours: ColourMatrix

    init(_ planes: borrowing FramePlanes) {
        size = (planes.storedWidth, planes.storedHeight)
        y = Plane(planes, 0)
        colours = ColourMatrix(planes.matrix, bitDepth: planes.bitDepth)
    }

    @inline(__always)
    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16) {
        (128, 128)
    }
}
