public import KinemaCore

/// A picture reduced to coarse cells of mean colour, which average out pixel noise.
public struct ColorGrid: Sendable, Hashable {
    /// Cells in a row.
    public let columns: Int
    /// Rows of cells.
    public let rows: Int
    /// The red, green and blue of each cell, 0...255, top row first.
    public let cells: [SIMD3<Float>]

    /// Makes a grid from the mean colours of its cells (0...255, top row first).
    public init(columns: Int, rows: Int, cells: [SIMD3<Float>]) {
        precondition(cells.count == columns * rows, "a grid needs one colour per cell")
        self.columns = columns
        self.rows = rows
        self.cells = cells
    }

    /// Reduces a picture to square cells, about `across` of them along its shorter side.
    public init(_ bitmap: Bitmap, across: Int = 96) {
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

    /// The median of several grids of one size, cell by cell; a passing object does not show in it.
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

    /// The mean of several grids of one size, cell by cell.
    static func mean(_ grids: [ColorGrid]) -> ColorGrid? {
        guard let first = grids.first else { return nil }
        var sums = first.cells
        for grid in grids.dropFirst() { for index in sums.indices { sums[index] += grid.cells[index] } }
        let share = 1 / Float(grids.count)
        return ColorGrid(columns: first.columns, rows: first.rows, cells: sums.map { $0 * share })
    }
}

/// A connected group of cells.
struct CellBlob: Sendable {
    /// Cell indices in the grid, row after row.
    var cells: [Int]
    /// The centroid as a share of the grid's width and height, from the upper left.
    var x: Double
    var y: Double
    /// Whether it touches the edge of the grid.
    var isAtEdge: Bool

    /// The connected groups of true cells, largest first.
    static func all(in mask: [Bool], columns: Int) -> [CellBlob] {
        let rows = mask.count / max(columns, 1)
        var seen = [Bool](repeating: false, count: mask.count)
        var blobs: [CellBlob] = []
        for start in mask.indices where mask[start] && !seen[start] {
            var cells = [start]
            seen[start] = true
            var next = 0
            while next < cells.count {
                let (row, column) = (cells[next] / columns, cells[next] % columns)
                next += 1
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)] {
                    let (x, y) = (column + dx, row + dy)
                    guard x >= 0, y >= 0, x < columns, y < rows else { continue }
                    let cell = y * columns + x
                    if mask[cell], !seen[cell] {
                        seen[cell] = true
                        cells.append(cell)
                    }
                }
            }
            blobs.append(CellBlob(cells, columns: columns, rows: rows))
        }
        return blobs.sorted { $0.cells.count > $1.cells.count }
    }

    private init(_ cells: [Int], columns: Int, rows: Int) {
        self.cells = cells
        let count = Double(cells.count)
        x = cells.reduce(0) { $0 + Double($1 % columns) + 0.5 } / count / Double(columns)
        y = cells.reduce(0) { $0 + Double($1 / columns) + 0.5 } / count / Double(rows)
        isAtEdge = cells.contains { cell in
            let (row, column) = (cell / columns, cell % columns)
            return row == 0 || column == 0 || row == rows - 1 || column == columns - 1
        }
    }
}

/// Finds what appeared in a still scene.
struct SceneChange {
    let before: ColorGrid
    let after: ColorGrid
    /// The scene shortly before `after`: a cell that has changed since then shows something that still moves.
    var earlier: ColorGrid?
    /// The smallest difference that counts as a change, in steps of 255.
    var contrast = BagArrivalDetector.contrast

    /// The new objects of more than `least` cells, largest first.
    func newObjects(atLeast least: Double) -> [CellBlob] {
        let mask = zip(
            after.changes(from: before, above: contrast), after.changes(from: earlier ?? after, above: contrast)
        )
        .map { $0 && !$1 }
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
