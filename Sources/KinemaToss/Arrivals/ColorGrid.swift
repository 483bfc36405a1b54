package import KinemaCore

/// A picture reduced to coarse cells of mean colour, which average out pixel noise.
package struct ColorGrid: Sendable, Hashable {
    let columns: Int
    let rows: Int
    /// The red, green and blue of each cell, 0...255, top row first.
    let cells: [SIMD3<Float>]

    init(columns: Int, rows: Int, cells: [SIMD3<Float>]) {
        precondition(cells.count == columns * rows, "a grid needs one colour per cell")
        (self.columns, self.rows, self.cells) = (columns, rows, cells)
    }

    /// Reduces a picture to square cells, about `across` of them along its shorter side.
    package init(_ bitmap: Bitmap, across: Int = 96) {
        self.init(
            bitmap, columns: 0..<bitmap.width, rows: 0..<bitmap.height,
            side: max(1, min(bitmap.width, bitmap.height) / max(across, 1)))
    }

    /// Reduces part of a picture to square cells of `side` pixels; incomplete cells at the end are dropped.
    init(_ bitmap: Bitmap, columns: Range<Int>, rows: Range<Int>, side: Int) {
        let (across, down) = (max(columns.count / side, 1), max(rows.count / side, 1))
        let pixels = bitmap.pixels.span
        let share = 1 / Float(side * side)
        var cells = [SIMD3<Float>](repeating: .zero, count: across * down)
        for row in 0..<down {
            for column in 0..<across {
                var sum = SIMD3<Float>.zero
                for y in 0..<side {
                    var pixel =
                        ((rows.lowerBound + row * side + y) * bitmap.width + columns.lowerBound + column * side) * 4
                    for _ in 0..<side {
                        sum += SIMD3(Float(pixels[pixel + 2]), Float(pixels[pixel + 1]), Float(pixels[pixel]))
                        pixel += 4
                    }
                }
                cells[row * across + column] = sum * share
            }
        }
        self.init(columns: across, rows: down, cells: cells)
    }

    /// Marks the cells that differ from another grid by more than `limit` in any channel.
    func changes(from other: ColorGrid, above limit: Float) -> [Bool] {
        zip(cells, other.cells).map { one, two in
            let gap = one - two
            return max(abs(gap.x), abs(gap.y), abs(gap.z)) > limit
        }
    }

    /// Clears a border of a mask of this grid; its width is a share of the shorter side.
    func clearMargin(of mask: inout [Bool], share: Double) {
        let width = Int((Double(min(columns, rows)) * share).rounded(.up))
        for row in 0..<rows {
            for column in 0..<columns
            where row < width || column < width || row >= rows - width || column >= columns - width {
                mask[row * columns + column] = false
            }
        }
    }

    static func median(_ grids: [ColorGrid]) -> ColorGrid? {
        guard let first = grids.first else { return nil }
        let middle = grids.count / 2
        let cells = first.cells.indices.map { cell -> SIMD3<Float> in
            var median = SIMD3<Float>.zero
            for channel in 0..<3 { median[channel] = grids.map { $0.cells[cell][channel] }.sorted()[middle] }
            return median
        }
        return ColorGrid(columns: first.columns, rows: first.rows, cells: cells)
    }

    static func mean(_ grids: [ColorGrid]) -> ColorGrid? {
        guard let first = grids.first else { return nil }
        var sums = first.cells
        for grid in grids.dropFirst() { for index in sums.indices { sums[index] += grid.cells[index] } }
        let share = 1 / Float(grids.count)
        return ColorGrid(columns: first.columns, rows: first.rows, cells: sums.map { $0 * share })
    }
}

/// Finds new objects in a still scene.
struct SceneChange {
    let before: ColorGrid, after: ColorGrid
    /// The scene shortly before `after`: a cell that has changed since then shows something that still moves.
    var earlier: ColorGrid?
    /// The smallest difference that counts as a change, in steps of 255.
    var contrast = BagArrivalDetector.contrast

    func newObjects(atLeast least: Double) -> [CellBlob] {
        var mask = after.changes(from: before, above: contrast)
        if let earlier { mask = zip(mask, after.changes(from: earlier, above: contrast)).map { $0 && !$1 } }
        return CellBlob.all(in: mask, columns: after.columns).filter { blob in
            Double(blob.cells.count) > least && outline(of: blob, in: after) > outline(of: blob, in: before)
        }
    }

    /// The mean contrast across a blob's edge: an object has an outline, the spot it left does not.
    private func outline(of blob: CellBlob, in grid: ColorGrid) -> Float {
        let cells = Set(blob.cells)
        var (sum, count): (Float, Float) = (0, 0)
        for cell in blob.cells {
            let (row, column) = (cell / grid.columns, cell % grid.columns)
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                // Compare two cells out, because the cells on the edge mix both colours.
                let near = (column + dx, row + dy)
                let far = (column + 2 * dx, row + 2 * dy)
                guard far.0 >= 0, far.1 >= 0, far.0 < grid.columns, far.1 < grid.rows,
                    !cells.contains(near.1 * grid.columns + near.0), !cells.contains(far.1 * grid.columns + far.0)
                else { continue }
                let gap = grid.cells[cell] - grid.cells[far.1 * grid.columns + far.0]
                sum += max(abs(gap.x), abs(gap.y), abs(gap.z))
                count += 1
            }
        }
        return count > 0 ? sum / count : 0
    }
}
