import KinemaCore
import KinemaMedia

/// Reads a rotated square straight from the decoder's planes into a model's input: bilinear, 8 bits a channel, RGB.
///
/// Pixel (i, j) of the input takes the picture's sample at the square's point (i / side, j / side), which is the
/// convention of the published models' own pipeline (no half pixel).
enum RegionSampler {
    /// What lies beyond the picture's edge.
    enum Border {
        /// Black, as the detectors were trained.
        case black
        /// The edge's own colour, as the landmark models were trained.
        case repeated
    }

    /// Fills `output` (side x side x RGB) with the square.
    static func sample(
        _ frame: VideoFrame, _ region: Region, into output: UnsafeMutableBufferPointer<UInt8>, side: Int, border: Border
    ) {
        precondition(output.count == side * side * 3, "the model's input is side x side x RGB")
        frame.withPlanes { planes in
            let grid = SamplingGrid(region, side: side, map: planes.map)
            visit(planes, Filler(output: output, side: side, grid: grid, border: border))
        }
    }

    /// The picture's colours (red, green, blue, 0...255) at pixels; points outside take the edge's colour.
    static func colours(of frame: VideoFrame, at points: [SIMD2<Double>]) -> [SIMD3<Float>] {
        frame.withPlanes { planes in
            let map = planes.map
            let stored = points.map { map.stored($0) }
            return visit(planes, Picker(points: stored))
        }
    }

    /// Calls the visitor with the source that fits the planes, so that each loop is compiled for its format.
    private static func visit<Visitor: SourceVisitor>(
        _ planes: borrowing FramePlanes, _ visitor: Visitor
    ) -> Visitor.Result {
        switch (planes.layout, planes.bytesPerSample) {
        case (.planar, 1): visitor.visit(Planar<UInt8>(planes))
        case (.planar, _): visitor.visit(Planar<UInt16>(planes))
        case (.semiPlanar(let swapped), 1): visitor.visit(SemiPlanar<UInt8>(planes, swapped))
        case (.semiPlanar(let swapped), _): visitor.visit(SemiPlanar<UInt16>(planes, swapped))
        case (.packed(let red, let green, let blue, let step), _):
            visitor.visit(Packed(planes, offsets: (red, green, blue), step: step))
        case (.gray, 1): visitor.visit(Gray<UInt8>(planes))
        case (.gray, _): visitor.visit(Gray<UInt16>(planes))
        }
    }
}

/// Work on a picture whose format is known only at run time.
private protocol SourceVisitor {
    associatedtype Result
    func visit<Source: PixelSource>(_ source: Source) -> Result
}

/// Fills a model's input.
private struct Filler: SourceVisitor {
    let output: UnsafeMutableBufferPointer<UInt8>
    let side: Int
    let grid: SamplingGrid
    let border: RegionSampler.Border

    func visit<Source: PixelSource>(_ source: Source) {
        guard let start = output.baseAddress else { return }
        fill(start, source)
    }

    // SAFETY: positions are clamped to 0...width-1 and 0...height-1 before a source reads, sources reach one sample
    // further right and down only where there is one, and the output is written once per pixel of the checked size.
    private func fill<Source: PixelSource>(_ start: UnsafeMutablePointer<UInt8>, _ source: Source) {
        var pixel = start
        let limitX = max(0, (source.size.width - 1) &<< 16 - 1)
        let limitY = max(0, (source.size.height - 1) &<< 16 - 1)
        // Half a pixel beyond the outermost centres lies the picture's edge.
        let (edgeX, edgeY) = (source.size.width &<< 16 - 0x8000, source.size.height &<< 16 - 0x8000)
        for row in 0..<side {
            var x = grid.x &+ row &* grid.rowX
            var y = grid.y &+ row &* grid.rowY
            let (endX, endY) = (x &+ (side - 1) &* grid.columnX, y &+ (side - 1) &* grid.columnY)
            // A row is a straight line: with both ends inside, all of it is.
            if min(x, endX) >= 0, max(x, endX) <= limitX, min(y, endY) >= 0, max(y, endY) <= limitY {
                for _ in 0..<side {
                    source.read(x, y, into: pixel)
                    pixel += 3
                    x &+= grid.columnX
                    y &+= grid.columnY
                }
                continue
            }
            for _ in 0..<side {
                if border == .black, x < -0x8000 || y < -0x8000 || x >= edgeX || y >= edgeY {
                    pixel[0] = 0
                    pixel[1] = 0
                    pixel[2] = 0
                } else {
                    source.read(min(max(x, 0), limitX), min(max(y, 0), limitY), into: pixel)
                }
                pixel += 3
                x &+= grid.columnX
                y &+= grid.columnY
            }
        }
    }
}

/// Picks single colours.
private struct Picker: SourceVisitor {
    let points: [SIMD2<Double>]

    // SAFETY: the three bytes are the temporary's own; positions are clamped into the picture.
    func visit<Source: PixelSource>(_ source: Source) -> [SIMD3<Float>] {
        let limitX = Double(max(0, source.size.width - 1)) - 1.0 / 65536
        let limitY = Double(max(0, source.size.height - 1)) - 1.0 / 65536
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3) { pixel in
            guard let start = pixel.baseAddress else { return [] }
            return points.map { point in
                let (x, y) = (max(0, min(point.x, limitX)), max(0, min(point.y, limitY)))
                source.read(Int(x * 65536), Int(y * 65536), into: start)
                return SIMD3(Float(start[0]), Float(start[1]), Float(start[2]))
            }
        }
    }
}

/// Where the input's pixels lie in the stored picture, in steps of 1/65536 pixel.
private struct SamplingGrid {
    let x: Int, y: Int
    let columnX: Int, columnY: Int
    let rowX: Int, rowY: Int

    init(_ region: Region, side: Int, map: PixelMap) {
        let origin = map.stored(region.pixel(SIMD2(0, 0)))
        let column = (map.stored(region.pixel(SIMD2(1, 0))) - origin) / Double(side)
        let row = (map.stored(region.pixel(SIMD2(0, 1))) - origin) / Double(side)
        func fixed(_ value: Double) -> Int { Int((value * 65536).rounded()) }
        (x, y) = (fixed(origin.x), fixed(origin.y))
        (columnX, columnY) = (fixed(column.x), fixed(column.y))
        (rowX, rowY) = (fixed(row.x), fixed(row.y))
    }
}

/// A way to read one bilinear sample as RGB at a position in steps of 1/65536 pixel, inside the picture.
private protocol PixelSource {
    var size: (width: Int, height: Int) { get }
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>)
}

/// One plane of samples and how to read between them.
private struct Plane<Sample: FixedWidthInteger & UnsignedInteger> {
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
private struct ColourMatrix {
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
private struct Planar<Sample: FixedWidthInteger & UnsignedInteger>: PixelSource {
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
private struct SemiPlanar<Sample: FixedWidthInteger & UnsignedInteger>: PixelSource {
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
private struct Packed: PixelSource {
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
private struct Gray<Sample: FixedWidthInteger & UnsignedInteger>: PixelSource {
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

extension PixelMap {
    /// The stored position of a displayed one; pixels' centres have whole numbers.
    fileprivate func stored(_ point: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            Double(xx) * point.x + Double(xy) * point.y + Double(x0),
            Double(yx) * point.x + Double(yy) * point.y + Double(y0))
    }
}
