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
