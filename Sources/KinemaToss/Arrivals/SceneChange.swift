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

struct CellBlob: Sendable {
    var cells: [Int]
    /// The centroid as a share of the grid's width and height, from the upper left.
    var x: Double, y: Double
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
