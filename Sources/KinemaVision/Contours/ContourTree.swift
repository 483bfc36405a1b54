final class ContourTree: Hashable, Sendable, Codable {
    /// The size of the analysed picture in pixels.
    let width: Int, height: Int
    let borders: [Borders.Border]
    /// The points of all polygons, 0...1, origin at the lower left.
    let points: [SIMD2<Float>]
    let roots: [Int]
    let children: [[Int]]
    let ranks: [Int]

    private enum CodingKeys: String, CodingKey { case width, height, borders, points }

    convenience init(_ found: Borders, width: Int, height: Int) {
        let scale = SIMD2(1 / Float(width), -1 / Float(height))
        self.init(found.borders, points: found.points.map { $0 * scale + SIMD2(0, 1) }, width: width, height: height)
    }

    private init(_ borders: [Borders.Border], points: [SIMD2<Float>], width: Int, height: Int) {
        (self.width, self.height, self.borders, self.points) = (width, height, borders, points)
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

    convenience init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let borders = try values.decode([Borders.Border].self, forKey: .borders)
        let points = try values.decode([SIMD2<Float>].self, forKey: .points)
        guard
            borders.enumerated().allSatisfy({ index, border in
                border.parent.map { (0..<index).contains($0) } ?? true
                    && points.indices.contains(border.points.lowerBound) && border.points.upperBound <= points.count
            })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .borders, in: values, debugDescription: "a contour refers to what is not there")
        }
        self.init(
            borders, points: points, width: try values.decode(Int.self, forKey: .width),
            height: try values.decode(Int.self, forKey: .height))
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
