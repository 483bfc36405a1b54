/// Compares a still scene before and after something happened in it.
struct StillComparison {
    let before: ColorGrid
    let after: ColorGrid
    /// The scene a moment before `after`: what has changed since is on its way and no thing that lies there.
    var earlier: ColorGrid?
    /// What differs by more has changed, in steps of 255.
    var contrast = BoardWatch.contrast

    /// The things of so many cells that are there now and were not before, the largest first.
    func appeared(atLeast least: Double) -> [CellBlob] {
        let mask = zip(
            after.changes(from: before, above: contrast), after.changes(from: earlier ?? after, above: contrast)
        )
        .map { $0 && !$1 }
        return CellBlob.all(in: mask, columns: after.columns).filter { blob in
            Double(blob.cells.count) > least && outline(of: blob, in: after) > outline(of: blob, in: before)
        }
    }

    /// How strongly the picture changes across a blob's edge: a thing has an outline, the place where one lay has none.
    private func outline(of blob: CellBlob, in grid: ColorGrid) -> Float {
        let cells = Set(blob.cells)
        var (sum, count): (Float, Float) = (0, 0)
        for cell in blob.cells {
            let (row, column) = (cell / grid.columns, cell % grid.columns)
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                // Two cells on, since the cells at the edge are mixed colours.
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
