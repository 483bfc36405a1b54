@testable import KinemaSampling
@testable import KinemaImaging
import KinemaCore
import KinemaSynth
import Testing

extension BinaryRaster {
    fileprivate init(width: Int, height: Int, isForeground: (_ x: Int, _ y: Int) -> Bool) {
        let pixels = (0..<height).flatMap { y in (0..<width).map { x in isForeground(x, y) ? UInt8.max : 0 } }
        let picture = GrayPicture(width: width, height: height, pixels: pixels)
        self.init(picture, threshold: BinaryThreshold(for: picture, contrast: 1, pivot: 0.5, selectsDark: false))
    }
}

struct BorderFollowerTests {
    /// How deep each border lies, in the order they are found; holes are odd.
    private func depths(_ borders: Borders) -> [Int] {
        var depths: [Int] = []
        for border in borders.borders {
            let depth = border.parent.map { depths[$0] + 1 } ?? 0
            #expect(border.isHole == (depth % 2 == 1), "outer borders and holes take turns")
            depths.append(depth)
        }
        return depths
    }

    /// The area each border surrounds, in pixels.
    private func areas(_ borders: Borders) -> [Double] {
        borders.borders.map { border in
            // y grows downwards here, so a polygon that turns counterclockwise to the eye is negative.
            -Polygon.orientedArea(borders.points[border.points].map { SIMD2<Double>($0) })
        }
    }

    /// A raster drawn as text, with `#` for the foreground.
    private func raster(_ rows: [String]) -> BinaryRaster {
        let drawn = rows.map { $0.map { $0 == "#" } }
        return BinaryRaster(width: max(1, drawn.map(\.count).max() ?? 0), height: rows.count) { x, y in
            x < drawn[y].count && drawn[y][x]
        }
    }

    @Test(arguments: [
        ([""], []),
        (["....", "...."], []),
        (["#"], [0]),
        (["####", "####"], [0]),
        (["#.#", "...", "#.#"], [0, 0, 0, 0]),
        // Corners join the foreground and part the background.
        (["#.#", ".#.", "#.#"], [0]),
        ([".#.", "#.#", ".#."], [0, 1]),
        (["#####", "#...#", "#.#.#", "#...#", "#####"], [0, 1, 2]),
        (["#######", "#.#...#", "#######"], [0, 1, 1]),
        // Two holes, one of them with an island that has a hole of its own.
        (
            ["#########", "#.#.....#", "###.###.#", "#...#.#.#", "#...###.#", "#.......#", "#########"],
            [0, 1, 1, 2, 3]
        ),
        // Open at the picture's edge, it is no hole.
        (["###", "#.#", "#.#"], [0]),
        (["#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#"], [0, 0, 0, 1]),
    ])
    func `nesting is exact`(rows: [String], expected: [Int]) {
        #expect(depths(BorderFollower.borders(of: raster(rows))) == expected)
    }

    @Test func `nested squares lie each in the one before`() {
        let raster = BinaryRaster(width: 200, height: 160) { x, y in
            min(x, y, 199 - x, 159 - y) / 10 % 2 == 0
        }
        let borders = BorderFollower.borders(of: raster)
        #expect(depths(borders) == [0, 1, 2, 3, 4, 5, 6, 7])
        let expected = (0..<8).map { (ring: Int) -> Double in
            let area = Double((200 - 20 * ring) * (160 - 20 * ring))
            return ring % 2 == 0 ? area : -area
        }
        #expect(areas(borders) == expected)
    }

    @Test func `rings have the area of circles`() {
        // Three rings inside each other and one beside them.
        func distance(_ x: Int, _ y: Int, _ centerX: Double, _ centerY: Double) -> Double {
            Polygon.distance(SIMD2(Double(x) + 0.5, Double(y) + 0.5), SIMD2(centerX, centerY))
        }
        let raster = BinaryRaster(width: 400, height: 300) { x, y in
            let inner = distance(x, y, 140, 150)
            let rings: [ClosedRange<Double>] = [20...40, 60...80, 100...120]
            return rings.contains { $0.contains(inner) } || (30...45).contains(distance(x, y, 330, 100))
        }
        let borders = BorderFollower.borders(of: raster)
        #expect(depths(borders).sorted() == [0, 0, 1, 1, 2, 3, 4, 5])
        let found = areas(borders).map(abs).sorted()
        let expected = [20.0, 30, 40, 45, 60, 80, 100, 120].map { $0 * $0 * .pi }
        for (area, circle) in zip(found, expected) { #expect(abs(area / circle - 1) < 0.01, "\(area) of \(circle)") }
        // A circle of pixels is longer than a round one by at most what eight directions cost.
        for border in borders.borders {
            let points = borders.points[border.points].map { SIMD2<Double>($0) }
            let round = 2 * (Double.pi * abs(Polygon.orientedArea(points))).squareRoot()
            #expect((1...1.09).contains(Polygon.perimeter(points) / round))
        }
    }

    @Test func `lines one pixel wide have their own area`() {
        let raster = BinaryRaster(width: 30, height: 30) { x, y in
            (y == 3 && x < 20) || x == 25 || (x == y - 5 && (8..<18).contains(x))
        }
        // A row, a column, and a diagonal of ten pixels.
        #expect(areas(BorderFollower.borders(of: raster)) == [30, 20, 10])
    }

    @Test(arguments: [1, 2, 5, 16])
    func `checkerboards are one piece with a hole for every inner field`(field: Int) {
        let raster = BinaryRaster(width: 8 * field, height: 8 * field) { x, y in (x / field + y / field) % 2 == 0 }
        let borders = BorderFollower.borders(of: raster)
        // 32 dark fields joined at corners; of the 32 light ones 14 reach the edge.
        #expect(borders.borders.filter { !$0.isHole }.count == 1)
        #expect(borders.borders.filter(\.isHole).count == 18)
        #expect(borders.borders.allSatisfy { $0.isHole == ($0.parent == 0) })
        #expect(areas(borders).reduce(0, +) == Double(32 * field * field))
    }

    @Test func `a full picture is one rectangle of four corners`() {
        let borders = BorderFollower.borders(of: BinaryRaster(width: 17, height: 9) { _, _ in true })
        #expect(borders.borders == [Borders.Border(isHole: false, parent: nil, points: 0..<4)])
        #expect(Set(borders.points) == [SIMD2(0, 0), SIMD2(0, 9), SIMD2(17, 9), SIMD2(17, 0)])
    }

    @Test func `a slope is a straight edge`() {
        let borders = BorderFollower.borders(of: BinaryRaster(width: 60, height: 60) { x, y in y >= x })
        // The diagonal is one line at half a pixel from the corners of its stairs.
        #expect(abs(Polygon.perimeter(borders.points.map { SIMD2<Double>($0) }) - (120 + 60 * 2.0.squareRoot())) < 1.5)
    }

    /// Any picture must come out again from its polygons, with the numbers and the nesting of its connected areas.
    @Test(arguments: 0..<300)
    func `any picture is what its borders surround`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let (width, height) = (random.integer(in: 1...14), random.integer(in: 1...14))
        let share = random.number(in: 0.2...0.8)
        let drawn = (0..<(width * height)).map { _ in random.chance(share) }
        let raster = BinaryRaster(width: width, height: height) { x, y in drawn[y * width + x] }
        let borders = BorderFollower.borders(of: raster)
        let areas = ConnectedAreas(raster)
        #expect(borders.borders.filter { !$0.isHole }.count == areas.foreground)
        #expect(borders.borders.filter(\.isHole).count == areas.holes)
        #expect(self.areas(borders).reduce(0, +) == Double(drawn.filter { $0 }.count))
        let depths = depths(borders)
        for y in 0..<height {
            for x in 0..<width {
                let around = borders.borders.indices.filter { index in
                    surrounds(borders.points[borders.borders[index].points], Float(x) + 0.5, Float(y) + 0.5)
                }
                #expect(around.count % 2 == (raster[x, y] ? 1 : 0))
                // Those around a pixel are a chain of parents.
                let chain = around.sorted { depths[$0] < depths[$1] }
                #expect(
                    chain.enumerated().allSatisfy { place, index in
                        borders.borders[index].parent == (place == 0 ? nil : chain[place - 1])
                    })
            }
        }
    }

    private func surrounds(_ points: ArraySlice<SIMD2<Float>>, _ x: Float, _ y: Float) -> Bool {
        guard var last = points.last else { return false }
        var inside = false
        for point in points {
            if (point.y > y) != (last.y > y), x < last.x + (y - last.y) / (point.y - last.y) * (point.x - last.x) {
                inside.toggle()
            }
            last = point
        }
        return inside
    }
}
