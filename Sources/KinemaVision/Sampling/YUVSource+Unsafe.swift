import KinemaMedia

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
