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
