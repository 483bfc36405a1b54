@testable import KinemaImaging
import KinemaCore
import Foundation
import KinemaSynth
import Testing

struct ContourGeometryTests {
    private func points(_ seed: UInt64, count: Int) -> [SIMD2<Double>] {
        var random = RandomSource(seed: seed)
        return (0..<count).map { _ in SIMD2(random.number(in: -3...3), random.number(in: 0...1)) }
    }

    @Test func `the area of a polygon is positive counterclockwise`() {
        let square = [SIMD2(0.0, 0.0), SIMD2(2, 0), SIMD2(2, 3), SIMD2(0, 3)]
        #expect(Polygon.orientedArea(square) == 6)
        #expect(Polygon.orientedArea(square.reversed()) == -6)
        #expect(Polygon.perimeter(square) == 10)
        #expect(Polygon.orientedArea([]) == 0)
    }

    @Test func `the hull holds every point and turns one way`() {
        let cloud = points(7, count: 200)
        let hull = Polygon.hull(cloud)
        for (index, corner) in hull.enumerated() {
            let next = hull[(index + 1) % hull.count]
            #expect(cloud.allSatisfy { Polygon.cross(next - corner, $0 - corner) >= -1e-12 })
        }
        #expect(Polygon.hull([SIMD2(1, 1), SIMD2(1, 1)]) == [SIMD2(1, 1)])
        #expect(Polygon.hull((0..<9).map { SIMD2(Double($0), 2 * Double($0)) }) == [SIMD2(0, 0), SIMD2(8, 16)])
    }

    @Test(arguments: 1...30)
    func `the circle holds every point and no smaller one could`(seed: UInt64) {
        let cloud = points(seed, count: Int(seed))
        let circle = EnclosingCircle(around: cloud)
        #expect(cloud.allSatisfy { Polygon.distance(circle.center, $0) <= circle.radius * (1 + 1e-9) + 1e-12 })
        // The smallest circle has points on no less than half of its rim: every way on from the middle leaves one behind.
        let rim = cloud.filter { Polygon.distance(circle.center, $0) > circle.radius * (1 - 1e-9) }
        for step in 0..<72 where seed > 1 {
            let way = SIMD2(cos(Double(step) / 36 * .pi), sin(Double(step) / 36 * .pi))
            #expect(rim.contains { (($0 - circle.center) * way).sum() <= 1e-9 })
        }
    }

    @Test func `the rectangle of a turned rectangle is itself`() {
        let corners = [SIMD2(0.0, 0.0), SIMD2(4, 0), SIMD2(4, 1), SIMD2(0, 1)]
        let (c, s) = (cos(0.4), sin(0.4))
        let turned = corners.map { SIMD2(c * $0.x - s * $0.y + 5, s * $0.x + c * $0.y - 2) }
        let found = EnclosingRectangle(around: turned + [turned.reduce(.zero, +) / 4]).corners
        #expect(turned.allSatisfy { corner in found.contains { Polygon.distance($0, corner) < 1e-9 } })
        #expect(abs(Polygon.orientedArea(found) - 4) < 1e-9)
        #expect(EnclosingRectangle(around: []).corners.count == 4)
    }

    @Test(arguments: [0.0, 0.01, 0.1, 0.5])
    func `no corner lies further than epsilon from the simpler outline`(epsilon: Double) {
        let circle = (0..<200).map { SIMD2(cos(Double($0) / 100 * .pi), sin(Double($0) / 100 * .pi)) }
        let kept = PolygonSimplification.indices(of: circle, epsilon: epsilon)
        #expect(kept == kept.sorted() && Set(kept).count == kept.count)
        for (from, to) in zip(kept, kept.dropFirst() + [kept[0] + circle.count]) {
            let (start, line) = (circle[from % 200], circle[to % 200] - circle[from % 200])
            for index in from...to {
                let distance = abs(Polygon.cross(line, circle[index % 200] - start)) / Polygon.distance(.zero, line)
                #expect(distance <= epsilon + 1e-12)
            }
        }
        // An arc of so many corners deviates by 1 - cos(pi / corners).
        let needed = [0.0: 200, 0.01: 23, 0.1: 7, 0.5: 3][epsilon] ?? 0
        #expect(kept.count >= needed && kept.count <= 2 * needed)
    }

    @Test func `a square of many corners is left with four`() {
        let side = (0..<50).map(Double.init)
        var square = side.map { SIMD2($0, 0) }
        square += side.map { SIMD2(50, $0) }
        square += side.map { SIMD2(50 - $0, 50) }
        square += side.map { SIMD2(0, 50 - $0) }
        #expect(PolygonSimplification.indices(of: square, epsilon: 0.5) == [0, 50, 100, 150])
    }
}
