import KinemaMedia

// SAFETY: every source reads only inside its planes: callers clamp positions into the picture, and a source reaches one
// sample further right and down only where the picture has one. Planes are borrowed for the time of one visit.

/// A way to read one bilinear sample as RGB at a position in steps of 1/65536 pixel, inside the picture.
protocol PixelSource {
    var size: (width: Int, height: Int) { get }
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>)
}

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

    @inline(__always)
    func value(_ sample: Sample) -> Int32 {
        Int32(truncatingIfNeeded: sample) &>> shift
    }
}

/// Luma and chroma to red, green, blue in whole numbers with 14 fraction bits.
struct ColourMatrix {
    let luma: Int32, offset: Int32
    let redV: Int32, greenU: Int32, greenV: Int32, blueU: Int32

    init(_ matrix: ColorMatrix, bitDepth: Int) {
        // Samples arrive as 8 bits, whatever they are stored in, and leave as 0...255.
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
    private func byte(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(max(value, 0), 255))
    }
}

/// Y, U and V in planes of their own. Chroma is the nearest sample's: the eye of the models is luma.
struct Planar<Sample: FixedWidthInteger & UnsignedInteger>: PixelSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>, u: Plane<Sample>, v: Plane<Sample>
    let shiftX: Int, shiftY: Int
    let colours: ColourMatrix

    init(_ planes: borrowing FramePlanes) {
        size = (planes.storedWidth, planes.storedHeight)
        (y, u, v) = (Plane(planes, 0), Plane(planes, 1), Plane(planes, 2))
        (shiftX, shiftY) = (planes.chromaShiftX + 16, planes.chromaShiftY + 16)
        colours = ColourMatrix(planes.matrix, bitDepth: planes.bitDepth)
    }

    @inline(__always)
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        let (column, row) = ((x &+ 0x8000) &>> shiftX, (y &+ 0x8000) &>> shiftY)
        colours.write(
            self.y.bilinear(x, y), u.value(u.base[row &* u.stride &+ column]),
            v.value(v.base[row &* v.stride &+ column]),
            into: pixel)
    }
}

/// Y in one plane, U and V side by side in another.
struct SemiPlanar<Sample: FixedWidthInteger & UnsignedInteger>: PixelSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>, chroma: Plane<Sample>
    let shiftX: Int, shiftY: Int
    let swapped: Bool
    let colours: ColourMatrix

    init(_ planes: borrowing FramePlanes, _ swapped: Bool) {
        size = (planes.storedWidth, planes.storedHeight)
        (y, chroma) = (Plane(planes, 0), Plane(planes, 1))
        (shiftX, shiftY) = (planes.chromaShiftX + 16, planes.chromaShiftY + 16)
        self.swapped = swapped
        colours = ColourMatrix(planes.matrix, bitDepth: planes.bitDepth)
    }

    @inline(__always)
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        let (column, row) = ((x &+ 0x8000) &>> shiftX, (y &+ 0x8000) &>> shiftY)
        let offset = row &* chroma.stride &+ 2 &* column
        let pair = chroma.base + offset
        let (first, second) = (chroma.value(pair[0]), chroma.value(pair[1]))
        colours.write(self.y.bilinear(x, y), swapped ? second : first, swapped ? first : second, into: pixel)
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

/// Luma only.
struct Gray<Sample: FixedWidthInteger & UnsignedInteger>: PixelSource {
    let size: (width: Int, height: Int)
    let y: Plane<Sample>
    let colours: ColourMatrix

    init(_ planes: borrowing FramePlanes) {
        size = (planes.storedWidth, planes.storedHeight)
        y = Plane(planes, 0)
        colours = ColourMatrix(planes.matrix, bitDepth: planes.bitDepth)
    }

    @inline(__always)
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        colours.write(self.y.bilinear(x, y), 128, 128, into: pixel)
    }
}
