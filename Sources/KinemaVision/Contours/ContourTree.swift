final class ContourTree: Hashable, Sendable {
    /// The size of the analysed picture in pixels.
    let size: (width: Int, height: Int)
    let borders: [Borders.Border]
    /// The points of all polygons, 0...1, origin at the lower left.
    let points: [SIMD2<Float>]
    let roots: [Int]
    let children: [[Int]]
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
        (self.roots, self.children, self.ranks) = (roots, children, ranks)
    }

    static func == (one: ContourTree, other: ContourTree) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func path(to index: Int) -> [Int] {
        var path = [ranks[index]]
        var child = index
        while let parent = borders[child].parent {
            path.append(ranks[parent])
            child = parent
        }
        return path.reversed()
    }

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
