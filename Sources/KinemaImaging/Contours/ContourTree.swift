package import KinemaSampling
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

package struct BinaryThreshold: Sendable, Equatable {
    /// The lowest brightness (0...255) that counts as light; nil if the picture is uniform.
    let lowestLight: UInt8?
    let selectsDark: Bool

    /// Adjusts the contrast around a pivot, v' = pivot + contrast (v - pivot), and thresholds at 0.5; without a pivot
    /// the threshold is Otsu's. A contrast of 0 makes the picture uniform.
    package init(for picture: GrayPicture, contrast: Float, pivot: Float?, selectsDark: Bool) {
        self.selectsDark = selectsDark
        let contrast = contrast.isFinite ? min(max(contrast, 0), 3) : 1
        guard contrast > 0 else {
            lowestLight = nil
            return
        }
        guard let pivot else {
            lowestLight = Self.otsuThreshold(of: picture)
            return
        }
        let center = pivot.isFinite ? min(max(pivot, 0), 1) : 0.5
        lowestLight =
            (UInt8.min...UInt8.max).first { center + contrast * (Float($0) / 255 - center) > 0.5 }
            // No value is light, so everything below the maximum is dark.
            ?? (selectsDark ? UInt8.max : nil)
    }

    /// The threshold that minimises the variance within both classes (Otsu 1979); nil for a uniform picture.
    private static func otsuThreshold(of picture: GrayPicture) -> UInt8? {
        var counts = [Int](repeating: 0, count: 256)
        for value in picture.pixels { counts[Int(value)] += 1 }
        let total = Double(picture.pixels.count)
        let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var (below, sumBelow, best) = (0.0, 0.0, 0.0)
        var thresholds: [Int] = []
        for value in 0..<255 {
            below += Double(counts[value])
            sumBelow += Double(value * counts[value])
            guard below > 0, below < total else { continue }
            let distance = sumBelow / below - (sum - sumBelow) / (total - below)
            let between = below * (total - below) * distance * distance
            if between > best * (1 + 1e-12) {
                best = between
                thresholds = [value + 1]
            } else if between >= best * (1 - 1e-12), best > 0 {
                thresholds.append(value + 1)
            }
        }
        // Thresholds in an empty range between two peaks are equally good; the middle one is furthest from both.
        return thresholds.isEmpty ? nil : UInt8(thresholds[thresholds.count / 2])
    }
}

/// A binary picture with a margin of one background pixel on all sides.
package struct BinaryRaster: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// 1 for foreground, 0 for background: `height + 2` rows of `width + 2`, top row first.
    let pixels: [UInt8]

    var stride: Int { width + 2 }

    package init(_ picture: GrayPicture, threshold: BinaryThreshold) {
        (width, height) = (picture.width, picture.height)
        var pixels = [UInt8](repeating: 0, count: (width + 2) * (height + 2))
        let inversion: UInt8 = threshold.selectsDark ? 1 : 0
        if let lowestLight = threshold.lowestLight {
            for row in 0..<height {
                let (from, to) = (row * width, (row + 1) * (width + 2) + 1)
                for column in 0..<width {
                    pixels[to + column] = (picture.pixels[from + column] >= lowestLight ? 1 : 0) ^ inversion
                }
            }
        }
        self.pixels = pixels
    }

    package subscript(x: Int, y: Int) -> Bool { pixels[(y + 1) * stride + x + 1] == 1 }
}
