import KinemaCore

/// All borders of one picture with their nesting, shared by the contours that come of it.
final class ContourTree: Sendable {
    /// Columns and rows of the picture that was searched.
    let size: (width: Int, height: Int)
    let borders: [Borders.Border]
    /// The polygons' corners: 0...1, origin at the lower left.
    let points: [SIMD2<Float>]
    /// The borders nothing surrounds.
    let roots: [Int]
    /// The borders directly inside each one.
    let children: [[Int]]
    /// Each border's place among its siblings.
    let ranks: [Int]

    init(_ found: Borders, width: Int, height: Int) {
        size = (width, height)
        borders = found.borders
        let scale = SIMD2(1 / Float(width), -1 / Float(height))
        points = found.points.map { $0 * scale + SIMD2(0, 1) }
        var roots: [Int] = []
        var children = [[Int]](repeating: [], count: borders.count)
        var ranks = [Int](repeating: 0, count: borders.count)
        for (index, border) in borders.enumerated() {
            if let parent = border.parent {
                ranks[index] = children[parent].count
                children[parent].append(index)
            } else {
                ranks[index] = roots.count
                roots.append(index)
            }
        }
        self.roots = roots
        self.children = children
        self.ranks = ranks
    }

    /// The ranks from the outermost border down to this one.
    func path(to index: Int) -> [Int] {
        var path = [ranks[index]]
        var place = index
        while let parent = borders[place].parent {
            path.append(ranks[parent])
            place = parent
        }
        return path.reversed()
    }

    /// The border at the end of a path of ranks.
    func border(at path: some Sequence<Int>) -> Int? {
        var siblings = roots
        var found: Int?
        for rank in path {
            guard siblings.indices.contains(rank) else { return nil }
            found = siblings[rank]
            siblings = children[siblings[rank]]
        }
        return found
    }
}
