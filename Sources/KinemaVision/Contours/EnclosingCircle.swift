/// The smallest circle around points (Welzl 1991, in its iterative form).
struct EnclosingCircle: Sendable, Equatable {
    var center: SIMD2<Double>
    var radius: Double

    /// The circle around the points; a point at the origin when there are none.
    init(around points: [SIMD2<Double>]) {
        // Only corners of the hull can touch it. Taken from far apart, few of them make the circle grow.
        let hull = Polygon.hull(points)
        let step = Self.step(hull.count)
        let corners = hull.indices.map { hull[$0 * step % hull.count] }
        self.init(center: corners.first ?? SIMD2(0, 0), radius: 0)
        for (index, corner) in corners.enumerated() where !holds(corner) {
            self.init(center: corner, radius: 0)
            for (other, second) in corners[..<index].enumerated() where !holds(second) {
                self.init(over: corner, second)
                for third in corners[..<other] where !holds(third) {
                    self.init(through: corner, second, third)
                }
            }
        }
    }

    private init(center: SIMD2<Double>, radius: Double) {
        self.center = center
        self.radius = radius
    }

    private init(over one: SIMD2<Double>, _ other: SIMD2<Double>) {
        self.init(center: (one + other) / 2, radius: Polygon.distance(one, other) / 2)
    }

    private init(through a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) {
        let (ab, ac) = (b - a, c - a)
        let double = 2 * Polygon.cross(ab, ac)
        guard abs(double) > 1e-300 else {
            // On one line the two furthest apart hold the third.
            let pairs = [(a, b), (a, c), (b, c)].max { Polygon.distance($0.0, $0.1) < Polygon.distance($1.0, $1.1) }
            self.init(over: pairs?.0 ?? a, pairs?.1 ?? b)
            return
        }
        let (lengthB, lengthC) = ((ab * ab).sum(), (ac * ac).sum())
        let offset = SIMD2(ac.y * lengthB - ab.y * lengthC, ab.x * lengthC - ac.x * lengthB) / double
        self.init(center: a + offset, radius: Polygon.distance(.zero, offset))
    }

    /// Whether a point lies inside or on the circle, but for rounding.
    func holds(_ point: SIMD2<Double>) -> Bool {
        Polygon.distance(center, point) <= radius * (1 + 1e-12) + 1e-15
    }

    /// A step that visits every one of `count` corners, each far from the one before.
    private static func step(_ count: Int) -> Int {
        guard count > 2 else { return 1 }
        func common(_ a: Int, _ b: Int) -> Int { b == 0 ? a : common(b, a % b) }
        // The golden section spreads best.
        var step = max(1, Int(Double(count) * 0.618))
        while common(step, count) != 1 { step += 1 }
        return step
    }
}
