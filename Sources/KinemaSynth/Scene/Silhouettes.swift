/// The outline of each person in a frame and its visible share, on a coarse canvas that extends beyond the picture.
struct Silhouettes {
    struct Outline {
        /// The number of cells that the person covers, seen or not, in the picture or beyond it.
        var area = 0
        /// The number of cells in the picture in which the person is visible.
        var seen = 0
        fileprivate var columns = (low: Int.max, high: Int.min)
        fileprivate var rows = (low: Int.max, high: Int.min)

        fileprivate mutating func cover(_ x: Int, _ y: Int) {
            area += 1
            columns = (min(columns.low, x), max(columns.high, x))
            rows = (min(rows.low, y), max(rows.high, y))
        }

        /// The share of the outline that can be seen, 0...1.
        var visibleShare: Double { area > 0 ? Double(seen) / Double(area) : 0 }
    }

    /// The height of the picture, in cells.
    private static let height = 216
    /// The width of the canvas beyond each edge, as a share of the picture's height.
    private static let margin = 0.5

    /// The outlines by person, for those who cover at least a cell.
    private(set) var outlines: [Int: Outline] = [:]
    private let width, border: Int

    init(of solids: [Solid], _ projection: Projection) {
        let scale = Double(Self.height) / Double(projection.height)
        width = max(1, Int((Double(projection.width) * scale).rounded()))
        border = Int(Self.margin * Double(Self.height))
        let canvas = projection.scaled(by: scale, width: width, height: Self.height, border: border)
        let cells = canvas.width * canvas.height
        var depths = [Float](repeating: .infinity, count: cells)
        var nearest = [Int32](repeating: -1, count: cells)
        // The person who covered a cell last; solids come person by person.
        var covered = [Int32](repeating: -1, count: cells)
        for solid in solids {
            draw(solid, canvas, &depths, &nearest, &covered)
        }
        for row in border..<border + Self.height {
            for cell in row * canvas.width + border..<row * canvas.width + border + width where nearest[cell] >= 0 {
                outlines[Int(nearest[cell])]?.seen += 1
            }
        }
    }

    private mutating func draw(
        _ solid: Solid, _ canvas: Projection, _ depths: inout [Float], _ nearest: inout [Int32],
        _ covered: inout [Int32]
    ) {
        let owner = Int32(truncatingIfNeeded: solid.owner ?? -1)
        var outline = solid.owner.flatMap { outlines[$0] } ?? Outline()
        ProjectedSolid(solid, canvas).forEachPixel(in: canvas) { x, y, depth in
            let cell = y * canvas.width + x
            if owner >= 0, covered[cell] != owner {
                covered[cell] = owner
                outline.cover(x, y)
            }
            if depth < depths[cell] { (depths[cell], nearest[cell]) = (depth, owner) }
        }
        if let owner = solid.owner, outline.area > 0 { outlines[owner] = outline }
    }

    /// A person's box as x, y, width, height: normalised, origin at the lower left, with hidden parts; nil far outside.
    func box(of person: Int) -> [Double]? {
        guard let outline = outlines[person] else { return nil }
        let (columns, rows) = (outline.columns, outline.rows)
        return [
            Double(columns.low - border) / Double(width), 1 - Double(rows.high + 1 - border) / Double(Self.height),
            Double(columns.high + 1 - columns.low) / Double(width),
            Double(rows.high + 1 - rows.low) / Double(Self.height),
        ]
    }
}

extension Projection {
    /// The same view at another size, on a canvas with a border around it.
    fileprivate func scaled(by scale: Double, width: Int, height: Int, border: Int) -> Projection {
        var other = Projection(self, width: width + 2 * border, height: height + 2 * border, focal: focal * scale)
        other.centerX = centerX * scale + Double(border)
        other.centerY = centerY * scale + Double(border)
        return other
    }
}
