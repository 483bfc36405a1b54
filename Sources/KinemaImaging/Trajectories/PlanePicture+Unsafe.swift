import KinemaSampling
import KinemaMedia

/// A plane of a frame, scaled down, in the stored orientation.
struct PlanePicture: Sendable {
    enum Plane: Sendable {
        case luma
        /// The difference of blue or red from grey; 128 is grey.
        case blue, red
    }

    let width: Int
    let height: Int
    var pixels: [UInt8]
}

// SAFETY: planes are read row by row within their stated size, inside `withPlanes`; every destination has space for a
// whole row, and loops stop `factor` samples before the end of a row.

extension PlanePicture {
    /// A plane of a frame, scaled down by averaging `factor` x `factor` pixels. The factor must be at least the plane's
    /// chroma subsampling.
    init(_ frame: VideoFrame, _ plane: Plane, factor: Int) {
        self = frame.withPlanes { planes in
            let size = (planes.storedWidth / factor, planes.storedHeight / factor)
            let lines = PlaneLines(planes, plane)
            let block = (width: factor >> lines.shift.x, height: factor >> lines.shift.y)
            precondition(block.width > 0 && block.height > 0, "a pixel covers at least one sample")
            let pixels = [UInt8](unsafeUninitializedCapacity: size.0 * size.1) { buffer, count in
                if let base = buffer.baseAddress { Self.reduce(planes, lines, block, into: base, size) }
                count = size.0 * size.1
            }
            return PlanePicture(width: size.0, height: size.1, pixels: pixels)
        }
    }

    func reduced(by factor: Int) -> PlanePicture {
        let (columns, rows) = (width / factor, height / factor)
        let smaller = [UInt8](unsafeUninitializedCapacity: columns * rows) { buffer, count in
            let sums = UnsafeMutablePointer<UInt16>.allocate(capacity: width)
            defer { sums.deallocate() }
            pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress, let output = buffer.baseAddress else { return }
                for row in 0..<rows {
                    for part in 0..<factor {
                        Self.add(base + (row * factor + part) * width, to: sums, width, isFirst: part == 0)
                    }
                    Self.mean(sums, (factor, factor), into: output + row * columns, columns)
                }
            }
            count = columns * rows
        }
        return PlanePicture(width: columns, height: rows, pixels: smaller)
    }

    /// The mean and the largest difference from another picture of the same size, in levels of 255.
    func difference(from other: PlanePicture) -> (mean: Double, largest: Int) {
        var (sum, largest) = (0, 0)
        pixels.withUnsafeBufferPointer { one in
            other.pixels.withUnsafeBufferPointer { two in
                for index in 0..<min(one.count, two.count) {
                    let difference = abs(Int(one[index]) &- Int(two[index]))
                    sum &+= difference
                    largest = max(largest, difference)
                }
            }
        }
        return (Double(sum) / Double(max(1, pixels.count)), largest)
    }

    private static func reduce(
        _ planes: borrowing FramePlanes, _ lines: PlaneLines, _ block: (width: Int, height: Int),
        into output: UnsafeMutablePointer<UInt8>, _ size: (width: Int, height: Int)
    ) {
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: lines.count + 64)
        let sums = UnsafeMutablePointer<UInt16>.allocate(capacity: lines.count + 64)
        defer {
            scratch.deallocate()
            sums.deallocate()
        }
        for row in 0..<size.height {
            for part in 0..<block.height {
                let line = lines.line(planes, row: row * block.height + part, scratch: scratch)
                add(line, to: sums, lines.count, isFirst: part == 0)
            }
            mean(sums, block, into: output + row * size.width, size.width)
        }
    }

    @inline(__always)
    private static func add(
        _ line: UnsafePointer<UInt8>, to sums: UnsafeMutablePointer<UInt16>, _ count: Int, isFirst: Bool
    ) {
        if isFirst {
            for x in 0..<count { sums[x] = UInt16(line[x]) }
        } else {
            for x in 0..<count { sums[x] &+= UInt16(line[x]) }
        }
    }

    @inline(__always)
    private static func mean(
        _ sums: UnsafePointer<UInt16>, _ block: (width: Int, height: Int), into output: UnsafeMutablePointer<UInt8>,
        _ count: Int
    ) {
        switch block {
        case (1, 1):
            for x in 0..<count { output[x] = UInt8(truncatingIfNeeded: sums[x]) }
        case (2, 2):
            for x in 0..<count { output[x] = UInt8(truncatingIfNeeded: (sums[2 &* x] &+ sums[2 &* x &+ 1] &+ 2) &>> 2) }
        default:
            let scale = UInt32(65536 / (block.width * block.height))
            for x in 0..<count {
                var sum: UInt32 = 0
                for part in 0..<block.width { sum &+= UInt32(sums[x &* block.width &+ part]) }
                output[x] = UInt8(truncatingIfNeeded: min(255, (sum &* scale &+ 32768) &>> 16))
            }
        }
    }
}

/// The rows of one plane as bytes, for any frame format.
private struct PlaneLines {
    let plane: PlanePicture.Plane
    /// The plane has `storedWidth >> shift.x` columns and `storedHeight >> shift.y` rows.
    let shift: (x: Int, y: Int)
    let count: Int

    init(_ planes: borrowing FramePlanes, _ plane: PlanePicture.Plane) {
        self.plane = plane
        var shift = (x: 0, y: 0)
        switch planes.layout {
        case .planar, .semiPlanar: if plane != .luma { shift = (planes.chromaShiftX, planes.chromaShiftY) }
        case .gray, .packed: break
        }
        self.shift = shift
        count = planes.storedWidth >> shift.x
    }

    /// A row in the plane's own memory if that holds contiguous bytes, otherwise in `scratch`.
    func line(_ planes: borrowing FramePlanes, row: Int, scratch: UnsafeMutablePointer<UInt8>) -> UnsafePointer<UInt8> {
        let (source, first, step): (FramePlanes.Plane, Int, Int)
        switch (planes.layout, plane) {
        case (.packed(let red, let green, let blue, let step), _):
            let pixels = planes.planes.0.base + row * planes.planes.0.bytesPerRow
            convert(pixels.assumingMemoryBound(to: UInt8.self), (red, green, blue), step, into: scratch)
            return UnsafePointer(scratch)
        case (_, .luma), (.gray, _): (source, first, step) = (planes.planes.0, 0, 1)
        case (.planar, .blue): (source, first, step) = (planes.planes.1, 0, 1)
        case (.planar, .red): (source, first, step) = (planes.planes.2, 0, 1)
        case (.semiPlanar(let swapped), _):
            (source, first, step) = (planes.planes.1, (plane == .blue) == swapped ? 1 : 0, 2)
        }
        let start = source.base + row * source.bytesPerRow
        if planes.bytesPerSample == 2 {
            let samples = start.assumingMemoryBound(to: UInt16.self)
            let shift = UInt16(planes.bitDepth - 8)
            for x in 0..<count { scratch[x] = UInt8(truncatingIfNeeded: samples[first &+ step &* x] &>> shift) }
        } else {
            let samples = start.assumingMemoryBound(to: UInt8.self)
            guard step > 1 else { return samples }
            for x in 0..<count { scratch[x] = samples[first &+ step &* x] }
        }
        return UnsafePointer(scratch)
    }

    /// Converts packed RGB to luma or chroma, with BT.601's weights times 256.
    private func convert(
        _ pixels: UnsafePointer<UInt8>, _ offset: (red: Int, green: Int, blue: Int), _ step: Int,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        let (weights, grey): (SIMD3<Int32>, Int32)
        switch plane {
        case .luma: (weights, grey) = (SIMD3(77, 150, 29), 0)
        case .blue: (weights, grey) = (SIMD3(-43, -85, 128), 32768)
        case .red: (weights, grey) = (SIMD3(128, -107, -21), 32768)
        }
        for x in 0..<count {
            let pixel = pixels + x &* step
            let sum =
                weights.x &* Int32(pixel[offset.red]) &+ weights.y &* Int32(pixel[offset.green])
                &+ weights.z &* Int32(pixel[offset.blue]) &+ grey
            output[x] = UInt8(truncatingIfNeeded: min(255, sum &>> 8))
        }
    }
}

extension PlanePicture {
    /// The steepest point in each square of `cell` pixels above `minimumSlope` (levels of 255 per pixel), row by row.
    func steepestPoints(cell: Int, rim: Int, minimumSlope: Float) -> [(x: Int, y: Int)] {
        var points: [(x: Int, y: Int)] = []
        for top in stride(from: rim, to: height - cell - rim + 1, by: cell) {
            for left in stride(from: rim, to: width - cell - rim + 1, by: cell) {
                var best: (x: Int, y: Int)?
                var steepest = minimumSlope * minimumSlope
                for y in top..<top + cell {
                    for x in left..<left + cell {
                        let slope = slope(x, y)
                        let size = slope.x * slope.x + slope.y * slope.y
                        if size > steepest { (steepest, best) = (size, (x, y)) }
                    }
                }
                if let best { points.append(best) }
            }
        }
        return points
    }

    func slope(_ x: Int, _ y: Int) -> SIMD2<Float> {
        let index = y * width + x
        return SIMD2(
            Float(Int(pixels[index + 1]) - Int(pixels[index - 1])) / 2,
            Float(Int(pixels[index + width]) - Int(pixels[index - width])) / 2)
    }

    /// The value by bilinear interpolation; positions are clamped to the picture.
    func value(_ x: Float, _ y: Float) -> Float {
        let (x, y) = (min(max(x, 0), Float(width) - 1.001), min(max(y, 0), Float(height) - 1.001))
        let (column, row) = (Int(x), Int(y))
        let (dx, dy) = (x - Float(column), y - Float(row))
        let index = row * width + column
        let top = Float(pixels[index]) * (1 - dx) + Float(pixels[index + 1]) * dx
        let bottom = Float(pixels[index + width]) * (1 - dx) + Float(pixels[index + width + 1]) * dx
        return top * (1 - dy) + bottom * dy
    }
}

/// A frame scaled down: its luma, and its colours at half that resolution.
struct ReducedFrame: Sendable {
    let luma: PlanePicture
    /// The colour planes; nil for grey frames and frames with strongly subsampled chroma.
    let colors: (blue: PlanePicture, red: PlanePicture)?

    /// Scales a frame down by averaging `factor` x `factor` pixels.
    init(_ frame: VideoFrame, factor: Int) {
        luma = PlanePicture(frame, .luma, factor: factor)
        let coarse = 2 * factor
        let hasColors = frame.withPlanes { planes in
            planes.layout != .gray && coarse >> planes.chromaShiftX > 0 && coarse >> planes.chromaShiftY > 0
        }
        colors =
            hasColors ? (PlanePicture(frame, .blue, factor: coarse), PlanePicture(frame, .red, factor: coarse)) : nil
    }
}
