import CSampling
import KinemaMedia

// SAFETY: the part is clipped to the picture, and the map from displayed to stored pixels is one to one, so every row
// and column that is read lies inside its plane. Scratch rows are as long as the stored part is wide.

/// Scales down the brightness of a part of a picture by averaging.
enum LumaReduction {
    /// The part as displayed, `width` x `height` bytes; neither is larger than the part's size.
    static func pixels(of planes: borrowing FramePlanes, in part: PixelRect, width: Int, height: Int) -> [UInt8] {
        let map = planes.map
        let (first, last) = (
            map.stored(x: part.x, y: part.y), map.stored(x: part.x + part.width - 1, y: part.y + part.height - 1)
        )
        let isTransposed = planes.orientation.transposed
        let reduction = Reduction(
            x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x) + 1,
            height: abs(last.y - first.y) + 1, columns: isTransposed ? height : width,
            rows: isTransposed ? width : height)
        let stored = reduced(planes, reduction)
        guard planes.orientation != .upright else { return stored }
        let displayed = planes.orientation.map(storedWidth: reduction.columns, storedHeight: reduction.rows)
        return [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = displayed.stored(x: x, y: y)
                    buffer[y * width + x] = stored[pixel.y * reduction.columns + pixel.x]
                }
            }
            count = width * height
        }
    }

    private static func reduced(_ planes: borrowing FramePlanes, _ reduction: Reduction) -> [UInt8] {
        let plane = planes.planes.0
        switch (planes.layout, planes.bytesPerSample) {
        case (.packed(let red, let green, let blue, let step), _):
            return reduction.pixels(
                PackedRows(plane: plane, red: red, green: green, blue: blue, step: step), planes.matrix)
        case (_, 1): return reduction.pixels(SampleRows<UInt8>(plane: plane), planes.matrix)
        default: return reduction.pixels(SampleRows<UInt16>(plane: plane), planes.matrix)
        }
    }
}

private protocol LumaRows {
    /// Adds `weight` times `count` samples, starting at a column and row, to `sums`.
    func add(_ weight: Float, x: Int, y: Int, count: Int, to sums: UnsafeMutablePointer<Float>)
}

private struct SampleRows<Sample: FixedWidthInteger & UnsignedInteger>: LumaRows {
    let plane: FramePlanes.Plane

    @inline(__always)
    func add(_ weight: Float, x: Int, y: Int, count: Int, to sums: UnsafeMutablePointer<Float>) {
        let row = (plane.base + y * plane.bytesPerRow).assumingMemoryBound(to: Sample.self) + x
        for index in 0..<count { sums[index] += weight * Float(row[index]) }
    }
}

private struct PackedRows: LumaRows {
    let plane: FramePlanes.Plane
    let red: Int, green: Int, blue: Int, step: Int

    @inline(__always)
    func add(_ weight: Float, x: Int, y: Int, count: Int, to sums: UnsafeMutablePointer<Float>) {
        let row = (plane.base + y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self) + x * step
        // ITU-R BT.601-7, section 2.5.1.
        let (redWeight, greenWeight, blueWeight) = (weight * 0.299, weight * 0.587, weight * 0.114)
        for index in 0..<count {
            let pixel = row + index &* step
            sums[index] +=
                redWeight * Float(pixel[red]) + greenWeight * Float(pixel[green]) + blueWeight * Float(pixel[blue])
        }
    }
}

private struct Reduction {
    let x: Int, y: Int, width: Int, height: Int
    let columns: Int, rows: Int

    @inline(__always)
    func pixels(_ source: some LumaRows, _ matrix: ColorMatrix) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: columns * rows) { buffer, count in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: width + 1) { scratch in
                guard let sums = scratch.baseAddress, let output = buffer.baseAddress else { return }
                for row in 0..<rows {
                    sums.initialize(repeating: 0, count: width + 1)
                    let span = SampleSpan(row, of: rows, over: height)
                    for line in span.first..<span.end {
                        source.add(span.weight(line), x: x, y: y + line, count: width, to: sums)
                    }
                    finish(sums, matrix, into: output + row * columns)
                }
            }
            count = columns * rows
        }
    }

    @inline(__always)
    private func finish(
        _ sums: UnsafeMutablePointer<Float>, _ matrix: ColorMatrix, into line: UnsafeMutablePointer<UInt8>
    ) {
        let covered = Float(width) / Float(columns) * Float(height) / Float(rows)
        let levels = matrix.lumaScale * 255
        let scale = levels / covered
        let offset = 0.5 - matrix.lumaOffset * levels
        if columns == width {
            for column in 0..<columns { line[column] = UInt8(max(0, min(255, sums[column] * scale + offset))) }
            return
        }
        for column in 0..<columns {
            let span = SampleSpan(column, of: columns, over: width)
            var sum: Float = 0
            for sample in span.first..<span.end { sum += sums[sample] * span.weight(sample) }
            line[column] = UInt8(max(0, min(255, sum * scale + offset)))
        }
    }
}

/// The samples covered by one of `count` equal parts of a line, with their weights.
private struct SampleSpan {
    let first: Int
    let end: Int
    private let from: Float
    private let to: Float

    @inline(__always)
    init(_ index: Int, of count: Int, over samples: Int) {
        // Integers make neighbouring spans meet exactly.
        let (low, high) = (index * samples, (index + 1) * samples)
        first = low / count
        end = (high + count - 1) / count
        from = Float(low) / Float(count)
        to = Float(high) / Float(count)
    }

    @inline(__always)
    func weight(_ sample: Int) -> Float { min(to, Float(sample + 1)) - max(from, Float(sample)) }
}

/// Planes of 8 bits that `ksample_line` reads.
// SAFETY: it reads four bytes where two luma samples or one chroma sample are needed, so `sample` takes only lines that
// stay off the last rows: the bytes beyond are then in the next row. Offsets within a plane fit into 32 bits.
struct LinePlanes {
    private let planes: ksample_planes
    /// Every position of a line must lie above this row.
    private let rows: Int
    /// The farthest line to prefetch: 64 pixels away, more than any input of a model steps over.
    private static let reach = 64 &<< 16

    /// Nil for samples of more bits, quarter-resolution chroma, and pictures that are tiny, huge or stored bottom-up.
    init?<Sample>(
        _ size: (width: Int, height: Int), _ luma: Plane<Sample>, u: UnsafePointer<Sample>, v: UnsafePointer<Sample>,
        chromaStride: Int, shift: (x: Int, y: Int), isInterleaved: Bool, _ colours: FixedPointColorMatrix
    ) {
        let limit = Int(Int32.max)
        guard Sample.self == UInt8.self, (0...1).contains(shift.x), (0...1).contains(shift.y), luma.stride >= 8,
            chromaStride >= 8, size.width < 1 << 14, size.height < 1 << 14, luma.stride * size.height < limit,
            chromaStride * size.height < limit, size.width >= 2, size.height >= 4
        else { return nil }
        planes = ksample_planes(
            luma: UnsafeRawPointer(luma.base).assumingMemoryBound(to: UInt8.self),
            u: UnsafeRawPointer(u).assumingMemoryBound(to: UInt8.self),
            v: UnsafeRawPointer(v).assumingMemoryBound(to: UInt8.self), luma_stride: Int32(luma.stride),
            chroma_stride: Int32(chromaStride), chroma_shift_x: Int32(shift.x), chroma_shift_y: Int32(shift.y),
            chroma_step_log: isInterleaved ? 1 : 0, offset: colours.offset, scale: colours.luma, red_v: colours.redV,
            green_u: colours.greenU, green_v: colours.greenV, blue_u: colours.blueU)
        rows = size.height - 3
    }

    /// Samples pixels from the first one and prefetches `next`; returns how many were sampled, which may be none.
    func sample(
        _ count: Int, from start: SamplePosition, step: SamplePosition, next: SamplePosition,
        into pixels: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let last = start + step * (count - 1)
        guard count >= 8, max(start.y, last.y) &>> 16 < rows else { return 0 }
        // A line inside the picture fits; the one to prefetch need not.
        let next = SamplePosition(
            x: max(-Self.reach, min(next.x, Self.reach)), y: max(-Self.reach, min(next.y, Self.reach)))
        return withUnsafePointer(to: planes) { planes in
            Int(
                ksample_line(
                    planes, Int32(count), Int32(start.x), Int32(start.y), Int32(step.x), Int32(step.y),
                    Int32(next.x), Int32(next.y), pixels))
        }
    }
}
