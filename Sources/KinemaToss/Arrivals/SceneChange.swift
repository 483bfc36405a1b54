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
