package import Foundation
package import KinemaCore

/// An object in free flight: its points and ballistic motion, in picture widths on both axes, origin at the lower left.
package struct Flight: Sendable, Identifiable {
    package struct Point: Sendable {
        package var time: TimeInterval
        /// The capture time at equal intervals: `time`, unless the recording repeats frames.
        var evenTime: TimeInterval
        package var object: MovingObject
        var key: Key
        /// Whether the object was at the same place in the frame before.
        var isResting: Bool
    }

    struct Key: Hashable, Sendable {
        var frame: Int
        var index: Int
    }

    /// The identifier, which stays the same during the flight.
    package private(set) var id = UUID()
    private(set) var isReported = false
    package private(set) var points: [Point]
    /// The motion in coordinates that do not move with the camera.
    private(set) var fit: BallisticFit
    package private(set) var radius: Double
    /// Whether the motion fits the points' even times better than those at which they were shown.
    private(set) var isEven = false
    package private(set) var confidence = 0.0

    /// The prior for the acceleration of free fall, per second squared: 9.81 m/s² is 65 to 490 radii of 2 to 15 cm.
    static func prior(radius: Double) -> BallisticFit.Prior {
        BallisticFit.Prior(mean: SIMD2(0, -150 * radius), deviation: SIMD2(80 * radius, 150 * radius))
    }

    init?(_ points: [Point]) {
        self.points = points.sorted { $0.time < $1.time }
        radius = points.reduce(0) { $0 + $1.object.radius } / Double(max(1, points.count))
        guard let (fit, isEven) = Self.fit(points, radius: radius) else { return nil }
        (self.fit, self.isEven) = (fit, isEven)
    }

    package var start: TimeInterval { points.first?.time ?? 0 }
    package var end: TimeInterval { points.last?.time ?? 0 }

    /// Takes over the identifier of a flight of the same object, if only that one has been reported.
    mutating func inheritID(of other: Flight) {
        guard other.isReported, !isReported else { return }
        (id, isReported) = (other.id, true)
    }

    mutating func markReported() { isReported = true }

    /// Adds a point; false when no motion fits the points any more.
    mutating func add(_ point: Point) -> Bool {
        let index = points.firstIndex { $0.time > point.time } ?? points.count
        points.insert(point, at: index)
        radius = points.reduce(0) { $0 + $1.object.radius } / Double(points.count)
        return refit()
    }

    /// Removes first points that do not fit, where a hand still held the object.
    mutating func trim() {
        while points.count > 6, let first = points.first {
            let offset = first.object.steadyPosition - fit.position(at: time(of: first))
            let reach = 3.5 * max(first.object.deviation, fit.residual)
            guard (offset * offset).sum() > reach * reach else { return }
            points.removeFirst()
            guard refit() else { return }
        }
    }

    /// This flight joined with a later part; nil when no single motion fits both.
    func joined(with later: Flight) -> Flight? {
        var whole = self
        whole.points = points + later.points.filter { $0.time > end }
        whole.radius = whole.points.reduce(0) { $0 + $1.object.radius } / Double(whole.points.count)
        guard whole.refit() else { return nil }
        let deviation = whole.points.reduce(0) { max($0, $1.object.deviation) }
        // The fit must be about as good as those of the parts, or as the measured deviation.
        let limit = max(1.5 * max(fit.residual, later.fit.residual), 1.5 * deviation)
        guard whole.fit.residual < limit, whole.fit.residual < 0.3 * whole.radius + deviation else { return nil }
        // The robust fit tolerates outliers; a part with a fifth of them belongs to another object or a bounce.
        let reach = 2.5 * max(whole.fit.residual, deviation)
        for part in [self, later] {
            let outliers = part.points.count { point in
                let offset = point.object.steadyPosition - whole.fit.position(at: whole.time(of: point))
                return (offset * offset).sum() > reach * reach
            }
            guard 5 * outliers <= part.points.count else { return nil }
        }
        return whole
    }

    private mutating func refit() -> Bool {
        guard let (fit, isEven) = Self.fit(points, radius: radius) else { return false }
        (self.fit, self.isEven) = (fit, isEven)
        confidence = FlightConfidence(self).value
        return true
    }

    private func time(of point: Point) -> TimeInterval { isEven ? point.evenTime : point.time }

    /// The motion through points, using shown or even times, whichever fits better.
    private static func fit(_ points: [Point], radius: Double) -> (BallisticFit, isEven: Bool)? {
        let prior = prior(radius: radius)
        let shown = BallisticFit(samples(points, \.time), prior: prior)
        guard points.contains(where: { $0.evenTime != $0.time }) else { return shown.map { ($0, false) } }
        let even = BallisticFit(samples(points, \.evenTime), prior: prior)
        guard let shown, let even else { return (shown ?? even).map { ($0, shown == nil) } }
        return even.residual < shown.residual ? (even, true) : (shown, false)
    }

    /// The samples for fitting. A partly visible object's centre is uncertain by as much as its radius is too small.
    private static func samples(_ points: [Point], _ time: KeyPath<Point, TimeInterval>) -> [BallisticFit.Sample] {
        let fullRadius = points.map(\.object.radius).quantile(0.8) ?? 0
        return points.map {
            let missing = max(0, fullRadius - $0.object.radius)
            let deviation = ($0.object.deviation * $0.object.deviation + missing * missing).squareRoot()
            return BallisticFit.Sample(
                time: $0[keyPath: time], position: $0.object.steadyPosition, deviation: deviation)
        }
    }
}

extension Flight {
    /// Vision's observation of the flight: the newest `length` points, normalised, the newest `projected` of them on the
    /// parabola, and the parabola through all points.
    package func observation(length: Int, projected: Int = .max, aspectRatio: Double) -> TrajectoryObservation {
        let newest = points.suffix(length)
        let parabola = parabola
        func normalized(_ position: SIMD2<Double>) -> NormalizedPoint {
            NormalizedPoint(x: position.x, y: position.y * aspectRatio)
        }
        return TrajectoryObservation(
            uuid: id, confidence: Float(confidence), timeRange: CMTimeRange(start..<end),
            detectedPoints: newest.map { normalized($0.object.position) }, detectedTimes: newest.map(\.time),
            projectedPoints: newest.suffix(projected).map { normalized(parabola.nearest(to: $0.object.position)) },
            equationCoefficients: SIMD3(
                Float(parabola.a * aspectRatio), Float(parabola.b * aspectRatio), Float(parabola.c * aspectRatio)),
            movingAverageRadius: radius)
    }

    /// The path to draw, normalised: the points on the parabola, interpolated across gaps from 0.1 s.
    package func curve(aspectRatio: Double) -> [CGPoint] {
        let parabola = parabola
        func normalized(_ position: SIMD2<Double>) -> CGPoint { CGPoint(x: position.x, y: position.y * aspectRatio) }
        var path: [CGPoint] = []
        for (index, point) in points.enumerated() {
            path.append(normalized(parabola.nearest(to: point.object.position)))
            guard index + 1 < points.count, points[index + 1].time - point.time >= 0.1 else { continue }
            let (from, to) = (time(of: point), time(of: points[index + 1]))
            let camera = point.object.position - point.object.steadyPosition
            for step in 1..<8 {
                path.append(normalized(fit.position(at: from + (to - from) * Double(step) / 8) + camera))
            }
        }
        return path
    }

    /// The path through the picture, in picture widths; for a vertical flight a horizontal line at the mean height.
    package var parabola: PathParabola {
        let positions = points.map(\.object.position)
        return PathParabola(positions)
            ?? PathParabola(a: 0, b: 0, c: positions.reduce(0) { $0 + $1.y } / Double(max(1, positions.count)))
    }
}

extension Flight {
    var lastFrame: Int { points.last?.key.frame ?? 0 }

    /// The quality for comparing flights: the number of points, reduced by the residual.
    var quality: Double { Double(points.count) / (1 + fit.residual / max(0.25 * radius, 1e-9)) }

    /// Whether the flight moves so close to another one that both are parts of one object.
    func isPart(of other: Flight) -> Bool {
        let from = max(start, other.start)
        guard end - from > 0.05, other.end >= from else { return false }
        let reach = 1.6 * (radius + other.radius)
        return [from, (from + end) / 2, end].allSatisfy { time in
            let offset = fit.position(at: time) - other.fit.position(at: time)
            return (offset * offset).sum() < reach * reach
        }
    }

    func resembles(_ other: Flight) -> Bool {
        guard let first = other.points.first?.object else { return false }
        return resembles(first)
    }

    func resembles(_ object: MovingObject) -> Bool { points.last?.object.resembles(object) ?? false }

    func contains(_ key: Key) -> Bool {
        // Keys are in order of time, so the search starts at the end.
        for point in points.reversed() {
            if point.key.frame < key.frame { return false }
            if point.key == key { return true }
        }
        return false
    }
}
