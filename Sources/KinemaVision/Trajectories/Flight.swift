package import Foundation
package import KinemaCore

/// An object in free flight: its detected points and the ballistic motion through them.
///
/// Lengths are in picture widths along both axes, origin at the lower left, y up.
package struct Flight: Sendable, Identifiable {
    /// The object at one time.
    package struct Point: Sendable {
        /// The time in seconds.
        package var time: TimeInterval
        package var object: MovingObject
        /// Identifies the object.
        var key: Key
    }

    /// Identifies an object of a frame.
    struct Key: Hashable, Sendable {
        var frame: Int
        var index: Int
    }

    /// The identifier, which stays the same during the flight.
    package private(set) var id = UUID()
    /// Whether the flight has been reported under this identifier.
    private(set) var isReported = false
    /// The points in order of time.
    package private(set) var points: [Point]
    /// The motion in coordinates that do not move with the camera.
    package private(set) var fit: BallisticFit
    /// The number of frames from the first to the last point, without those of an occlusion.
    package private(set) var frameCount: Int
    private var hiddenFrames = 0
    /// The mean radius.
    package private(set) var radius: Double
    /// The confidence that this is a flight, 0...1.
    package private(set) var confidence = 0.0

    /// The prior for the acceleration of an object in free fall, per second squared.
    ///
    /// Thrown objects have a radius of 2 to 15 cm, so 9.81 m/s² is 65 to 490 radii. The mean of 150 is in between, and
    /// the deviation covers both ends.
    static func prior(radius: Double) -> BallisticFit.Prior {
        BallisticFit.Prior(mean: SIMD2(0, -150 * radius), deviation: SIMD2(80 * radius, 150 * radius))
    }

    init?(_ points: [Point]) {
        self.points = points.sorted { $0.time < $1.time }
        radius = points.reduce(0) { $0 + $1.object.radius } / Double(max(1, points.count))
        frameCount = points.count
        guard let fit = BallisticFit(Self.samples(points), prior: Self.prior(radius: radius)) else { return nil }
        self.fit = fit
        updateFrameCount()
    }

    /// The time of the first point in seconds.
    package var start: TimeInterval { points.first?.time ?? 0 }
    /// The time of the last point in seconds.
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
        updateFrameCount()
        return refit()
    }

    /// Removes first points that do not fit, where a hand still held the object.
    mutating func trim() {
        while points.count > 6, let first = points.first {
            let offset = first.object.steadyPosition - fit.position(at: first.time)
            let reach = 3.5 * max(first.object.deviation, fit.residual)
            guard (offset * offset).sum() > reach * reach else { return }
            points.removeFirst()
            updateFrameCount()
            guard refit() else { return }
        }
    }

    /// This flight joined with a later part; nil when no single motion fits both.
    func joined(with later: Flight) -> Flight? {
        var whole = self
        whole.points = points + later.points.filter { $0.time > end }
        whole.hiddenFrames += later.hiddenFrames + max(0, (later.points.first?.key.frame ?? 0) - lastFrame - 1)
        whole.radius = whole.points.reduce(0) { $0 + $1.object.radius } / Double(whole.points.count)
        whole.updateFrameCount()
        guard whole.refit() else { return nil }
        let deviation = whole.points.reduce(0) { max($0, $1.object.deviation) }
        // The fit must be about as good as those of the parts, or as the measured deviation.
        let limit = max(1.5 * max(fit.residual, later.fit.residual), 1.5 * deviation)
        guard whole.fit.residual < limit, whole.fit.residual < 0.3 * whole.radius + deviation else { return nil }
        // The robust fit tolerates outliers. If a fifth of a part are outliers, it belongs to another object or a
        // bounce.
        let reach = 2.5 * max(whole.fit.residual, deviation)
        for part in [self, later] {
            let outliers = part.points.count { point in
                let offset = point.object.steadyPosition - whole.fit.position(at: point.time)
                return (offset * offset).sum() > reach * reach
            }
            guard 5 * outliers <= part.points.count else { return nil }
        }
        return whole
    }

    private mutating func refit() -> Bool {
        guard let fit = BallisticFit(Self.samples(points), prior: Self.prior(radius: radius)) else { return false }
        self.fit = fit
        confidence = FlightConfidence(self).value
        return true
    }

    private mutating func updateFrameCount() {
        guard let first = points.first, let last = points.last else { return }
        frameCount = last.key.frame - first.key.frame + 1 - hiddenFrames
    }

    /// The samples for fitting. A partly visible object's centre is uncertain by as much as its radius is too small.
    static func samples(_ points: [Point]) -> [BallisticFit.Sample] {
        let radii = points.map(\.object.radius).sorted()
        let fullRadius = radii.isEmpty ? 0 : radii[radii.count * 4 / 5]
        return points.map {
            let missing = max(0, fullRadius - $0.object.radius)
            let deviation = ($0.object.deviation * $0.object.deviation + missing * missing).squareRoot()
            return BallisticFit.Sample(time: $0.time, position: $0.object.steadyPosition, deviation: deviation)
        }
    }
}

extension Flight {
    /// Vision's observation of the flight: the newest `length` points, normalised, and the parabola through all points.
    package func observation(length: Int, aspectRatio: Double) -> TrajectoryObservation {
        let newest = points.suffix(length)
        let parabola = parabola
        func normalized(_ position: SIMD2<Double>) -> NormalizedPoint {
            NormalizedPoint(x: position.x, y: position.y * aspectRatio)
        }
        return TrajectoryObservation(
            uuid: id, confidence: Float(confidence), timeRange: start..<end,
            detectedPoints: newest.map { normalized($0.object.position) }, detectedTimes: newest.map(\.time),
            projectedPoints: newest.map { normalized(parabola.nearest(to: $0.object.position)) },
            equationCoefficients: SIMD3(
                Float(parabola.a * aspectRatio), Float(parabola.b * aspectRatio), Float(parabola.c * aspectRatio)),
            movingAverageRadius: radius)
    }

    /// The path through the picture, in picture widths; for a vertical flight a horizontal line at the mean height.
    package var parabola: PathParabola {
        let positions = points.map(\.object.position)
        return PathParabola(positions)
            ?? PathParabola(a: 0, b: 0, c: positions.reduce(0) { $0 + $1.y } / Double(max(1, positions.count)))
    }
}

extension Flight {
    /// The number of the last frame with a point.
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

    func resembles(_ object: MovingObject) -> Bool {
        points.last?.object.resembles(object) ?? false
    }

    func contains(_ key: Key) -> Bool {
        // Keys are in order of time, so the search starts at the end.
        for point in points.reversed() {
            if point.key.frame < key.frame { return false }
            if point.key == key { return true }
        }
        return false
    }
}

extension PathParabola {
    /// The point on the parabola nearest to a given one.
    package func nearest(to point: SIMD2<Double>) -> SIMD2<Double> {
        var x = point.x
        // Newton's method on the squared distance; bounding the curvature limits the steps.
        for _ in 0..<12 {
            let (height, slope) = (self(x) - point.y, 2 * a * x + b)
            let gradient = x - point.x + height * slope
            let curvature = max(1 + slope * slope + 2 * a * height, 0.5 * (1 + slope * slope))
            let step = gradient / curvature
            x -= step
            if abs(step) < 1e-9 { break }
        }
        return SIMD2(x, self(x))
    }
}

/// The confidence that a flight is real, from the features of its motion.
///
/// Requirements are features that every flight has. Evidence weighs further features by how many times stronger they
/// are than in other motion, in powers of two; a logistic function turns the sum into a probability.
///
/// All features are relative to the object's radius or to the measurement's deviation, so that size, distance,
/// resolution and frame rate do not matter.
package struct FlightConfidence: Sendable {
    /// The features that every flight has, with scores of 0...1.
    package let requirements: [(name: String, value: Double, score: Double)]
    /// The features that make a flight more or less likely, with weights as powers of two.
    package let evidence: [(name: String, value: Double, weight: Double)]

    /// Evaluates a flight.
    package init(_ flight: Flight) {
        let (fit, radius, points) = (flight.fit, max(flight.radius, 1e-9), flight.points)
        let count = Double(points.count)
        let seconds = flight.end - flight.start
        let path = Self.pathLength(points) / radius
        let fall = -fit.acceleration.y
        let variance = points.reduce(0) { $0 + ($1.object.radius - radius) * ($1.object.radius - radius) } / count
        let support = count / Double(max(flight.frameCount, 1))
        let size = variance.squareRoot() / radius
        let isolation = points.map(\.object.isolation).sorted()[points.count * 3 / 4]
        // The residual shows how accurate the measured positions really are.
        let noise = max(1, fit.residual / (points.map(\.object.deviation).max() ?? 1))
        let certainty = fall / max(fit.accelerationDeviation.y * noise, 1e-12)
        // Moving towards or away from the camera at up to 0.8 distances per second changes the speed by twice that.
        let sideways = max(0, abs(fit.acceleration.x) - 1.6 * abs(fit.velocity.x)) / max(fall, 1e-12)
        let gravity = log(max(fall / radius, 1e-3))
        requirements = [
            Self.requirement("points", count, from: 3, to: 7),
            Self.requirement("seconds", seconds, from: 0.1, to: 0.25),
            Self.requirement("path", path, from: 5, to: 12),
            Self.requirement("residual", fit.residual / radius, from: 0.4, to: 0.2),
            Self.requirement("minimum gravity", gravity, from: log(20), to: log(40)),
            Self.requirement("maximum gravity", gravity, from: log(1500), to: log(700)),
            Self.requirement("certainty", certainty, from: 3, to: 8),
            Self.requirement("sideways", sideways, from: 0.8, to: 0.4),
            Self.requirement("support", support, from: 0.4, to: 0.65),
            Self.requirement("isolation", isolation, from: 0.45, to: 0.7),
            Self.requirement("size", size, from: 0.55, to: 0.35),
        ]
        evidence = [
            Self.evidence("extent", seconds * path, typical: 7),
            Self.evidence("smoothness", radius / max(fit.residual, 1e-12), typical: 1 / 0.15),
            Self.evidence("certainty", certainty, typical: 16),
            Self.evidence("size", 1 / max(size, 1e-3), typical: 1 / 0.2),
            (name: "isolation", value: isolation, weight: 6 * (isolation - 0.8)),
            (name: "support", value: support, weight: 5 * (support - 0.8)),
        ]
    }

    /// The confidence, 0...1.
    package var value: Double {
        let sum = evidence.reduce(0) { $0 + $1.weight }
        return requirements.reduce(1) { $0 * $1.score } / (1 + exp(-1.5 * (sum - 0.35)))
    }

    private static func pathLength(_ points: [Flight.Point]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { sum, pair in
            sum + (pair.1.object.steadyPosition - pair.0.object.steadyPosition).length
        }
    }

    /// A score that rises smoothly from 0 at `from` to 1 at `to`.
    private static func requirement(
        _ name: String, _ value: Double, from: Double, to: Double
    ) -> (name: String, value: Double, score: Double) {
        let share = min(max((value - from) / (to - from), 0), 1)
        return (name, value, share.isNaN ? 0 : share * share * (3 - 2 * share))
    }

    /// A feature's ratio to its typical value for limbs, as a power of two limited to -2...1.6.
    private static func evidence(
        _ name: String, _ value: Double, typical: Double
    ) -> (name: String, value: Double, weight: Double) {
        (name, value, min(max(log2(max(value, 1e-9) / typical), -2), 1.6))
    }
}
