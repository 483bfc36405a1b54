package import Foundation
package import KinemaCore

/// One thing in free flight: every place it was seen at, and the motion that explains them.
///
/// Lengths are in picture widths along both axes, origin at the lower left, y up.
package struct Flight: Sendable, Identifiable {
    /// The thing at one moment.
    package struct Point: Sendable {
        /// Seconds.
        package var time: TimeInterval
        package var object: MovingObject
        /// Which object of which frame, to know it again.
        var key: Key
    }

    /// Names an object of a frame.
    struct Key: Hashable, Sendable {
        var frame: Int
        var index: Int
    }

    /// The same for all of the flight.
    package private(set) var id = UUID()
    /// Whether it was told under this name.
    private(set) var isTold = false
    /// Where it was seen, in order of time.
    package private(set) var points: [Point]
    /// The motion, in places that do not move with the camera.
    package private(set) var fit: BallisticFit
    /// How many frames there were from the first point to the last, less those between two parts that were joined.
    package private(set) var frameCount: Int
    private var hiddenFrames = 0
    /// The mean radius.
    package private(set) var radius: Double
    /// How sure it is that this is a flight, 0...1.
    package private(set) var confidence = 0.0

    /// What free fall looks like for a thing of that size, per second squared.
    ///
    /// What people throw is 2 to 15 cm in radius, so 9.81 m/s² are 65 to 490 of its radii; 150 is in the middle, and
    /// the deviation reaches over both ends.
    static func prior(radius: Double) -> BallisticFit.Prior {
        BallisticFit.Prior(mean: SIMD2(0, -150 * radius), deviation: SIMD2(80 * radius, 150 * radius))
    }

    init?(_ points: [Point]) {
        self.points = points.sorted { $0.time < $1.time }
        radius = points.reduce(0) { $0 + $1.object.radius } / Double(max(1, points.count))
        frameCount = points.count
        guard let fit = BallisticFit(Self.samples(points), prior: Self.prior(radius: radius)) else { return nil }
        self.fit = fit
        count()
    }

    /// When it was first seen, seconds.
    package var start: TimeInterval { points.first?.time ?? 0 }
    /// When it was last seen, seconds.
    package var end: TimeInterval { points.last?.time ?? 0 }

    /// Goes on under the name of another that turned out to be the same thing, if that one was told and this was not.
    mutating func takeName(of other: Flight) {
        guard other.isTold, !isTold else { return }
        (id, isTold) = (other.id, true)
    }

    /// Takes note that it is told to others from now on.
    mutating func tell() { isTold = true }

    /// Adds a point; false when the motion cannot be fitted with it.
    mutating func add(_ point: Point) -> Bool {
        let place = points.firstIndex { $0.time > point.time } ?? points.count
        points.insert(point, at: place)
        radius = points.reduce(0) { $0 + $1.object.radius } / Double(points.count)
        count()
        return refit()
    }

    /// Leaves out first points that do not fit: the hand that still held it.
    mutating func trim() {
        while points.count > 6, let first = points.first {
            let off = first.object.steadyPosition - fit.position(at: first.time)
            let reach = 3.5 * max(first.object.deviation, fit.residual)
            guard (off * off).sum() > reach * reach else { return }
            points.removeFirst()
            count()
            guard refit() else { return }
        }
    }

    /// This flight with a later part of the same; nil when no one motion explains both.
    func joined(with later: Flight) -> Flight? {
        var whole = self
        whole.points = points + later.points.filter { $0.time > end }
        whole.hiddenFrames += later.hiddenFrames + max(0, (later.points.first?.key.frame ?? 0) - lastFrame - 1)
        whole.radius = whole.points.reduce(0) { $0 + $1.object.radius } / Double(whole.points.count)
        whole.count()
        guard whole.refit() else { return nil }
        let deviation = whole.points.reduce(0) { max($0, $1.object.deviation) }
        // As good a fit as either part's, or as places can be measured.
        let limit = max(1.5 * max(fit.residual, later.fit.residual), 1.5 * deviation)
        guard whole.fit.residual < limit, whole.fit.residual < 0.3 * whole.radius + deviation else { return nil }
        // The fit bears with points that lie off; a whole part that does so is another thing's, or the same after a bounce.
        let reach = 2.5 * max(whole.fit.residual, deviation)
        for part in [self, later] {
            let strays = part.points.count { point in
                let off = point.object.steadyPosition - whole.fit.position(at: point.time)
                return (off * off).sum() > reach * reach
            }
            guard 5 * strays <= part.points.count else { return nil }
        }
        return whole
    }

    private mutating func refit() -> Bool {
        guard let fit = BallisticFit(Self.samples(points), prior: Self.prior(radius: radius)) else { return false }
        self.fit = fit
        confidence = FlightConfidence(self).value
        return true
    }

    private mutating func count() {
        guard let first = points.first, let last = points.last else { return }
        frameCount = last.key.frame - first.key.frame + 1 - hiddenFrames
    }

    /// What is seen of a thing may be a part of it, whose middle is off by as much as its radius lacks.
    static func samples(_ points: [Point]) -> [BallisticFit.Sample] {
        let radii = points.map(\.object.radius).sorted()
        let whole = radii.isEmpty ? 0 : radii[radii.count * 4 / 5]
        return points.map {
            let lack = max(0, whole - $0.object.radius)
            let deviation = ($0.object.deviation * $0.object.deviation + lack * lack).squareRoot()
            return BallisticFit.Sample(time: $0.time, position: $0.object.steadyPosition, deviation: deviation)
        }
    }
}

extension Flight {
    /// The flight as Vision tells it: its newest `length` points, normalised, and the parabola through all of them.
    package func observation(length: Int, aspectRatio: Double) -> TrajectoryObservation {
        let newest = points.suffix(length)
        let parabola = parabola
        func normalized(_ place: SIMD2<Double>) -> NormalizedPoint {
            NormalizedPoint(x: place.x, y: place.y * aspectRatio)
        }
        return TrajectoryObservation(
            uuid: id, confidence: Float(confidence), timeRange: start..<end,
            detectedPoints: newest.map { normalized($0.object.position) }, detectedTimes: newest.map(\.time),
            projectedPoints: newest.map { normalized(parabola.nearest(to: $0.object.position)) },
            equationCoefficients: SIMD3(
                Float(parabola.a * aspectRatio), Float(parabola.b * aspectRatio), Float(parabola.c * aspectRatio)),
            movingAverageRadius: radius)
    }

    /// The path through the picture, in picture widths.
    package var parabola: PathParabola {
        let places = points.map(\.object.position)
        // Straight up and down there is no parabola; its height is all there is to tell.
        return PathParabola(places)
            ?? PathParabola(a: 0, b: 0, c: places.reduce(0) { $0 + $1.y } / Double(max(1, places.count)))
    }
}

extension PathParabola {
    /// The place on the parabola nearest to a point.
    package func nearest(to point: SIMD2<Double>) -> SIMD2<Double> {
        var x = point.x
        // Newton's method on the squared distance, in steps that never pass the point's own distance.
        for _ in 0..<12 {
            let (off, slope) = (self(x) - point.y, 2 * a * x + b)
            let gradient = x - point.x + off * slope
            let curvature = max(1 + slope * slope + 2 * a * off, 0.5 * (1 + slope * slope))
            let step = gradient / curvature
            x -= step
            if abs(step) < 1e-9 { break }
        }
        return SIMD2(x, self(x))
    }
}

/// How sure it is that a flight is one.
///
/// Some traits every flight has; what lacks one is none. The rest is evidence: each trait counts by how many times more, or
/// less, it shows than in what moves otherwise, in powers of two, and their sum is turned into a probability.
///
/// Every trait is a ratio to the thing's own radius or to what was measured with, so that size, distance, resolution and
/// frame rate do not matter.
package struct FlightConfidence: Sendable {
    /// What every flight must show: a score of 0...1 each.
    package let needs: [(name: String, value: Double, score: Double)]
    /// What makes it likely: powers of two for and against.
    package let evidence: [(name: String, value: Double, weight: Double)]

    /// Judges a flight.
    package init(_ flight: Flight) {
        let (fit, radius, points) = (flight.fit, max(flight.radius, 1e-9), flight.points)
        let count = Double(points.count)
        let seconds = flight.end - flight.start
        let path = Self.length(points) / radius
        let fall = -fit.acceleration.y
        let variance = points.reduce(0) { $0 + ($1.object.radius - radius) * ($1.object.radius - radius) } / count
        let support = count / Double(max(flight.frameCount, 1))
        let size = variance.squareRoot() / radius
        let alone = points.map(\.object.isolation).sorted()[points.count * 3 / 4]
        // What is left over tells how well the middle is really known.
        let noise = max(1, fit.residual / (points.map(\.object.deviation).max() ?? 1))
        let certainty = fall / max(fit.accelerationDeviation.y * noise, 1e-12)
        // Coming nearer or going away at up to 0.8 distances a second speeds up or slows down by twice that.
        let sideways = max(0, abs(fit.acceleration.x) - 1.6 * abs(fit.velocity.x)) / max(fall, 1e-12)
        let pull = log(max(fall / radius, 1e-3))
        needs = [
            Self.need("points", count, from: 3, to: 7),
            Self.need("seconds", seconds, from: 0.1, to: 0.25),
            Self.need("path", path, from: 5, to: 12),
            Self.need("residual", fit.residual / radius, from: 0.4, to: 0.2),
            Self.need("fall", pull, from: log(20), to: log(40)),
            Self.need("plunge", pull, from: log(1500), to: log(700)),
            Self.need("certainty", certainty, from: 3, to: 8),
            Self.need("sideways", sideways, from: 0.8, to: 0.4),
            Self.need("support", support, from: 0.4, to: 0.65),
            Self.need("alone", alone, from: 0.45, to: 0.7),
            Self.need("size", size, from: 0.55, to: 0.35),
        ]
        evidence = [
            Self.part("extent", seconds * path, usual: 7),
            Self.part("smoothness", radius / max(fit.residual, 1e-12), usual: 1 / 0.15),
            Self.part("certainty", certainty, usual: 16),
            Self.part("size", 1 / max(size, 1e-3), usual: 1 / 0.2),
            (name: "alone", value: alone, weight: 6 * (alone - 0.8)),
            (name: "support", value: support, weight: 5 * (support - 0.8)),
        ]
    }

    /// 0...1.
    package var value: Double {
        let sum = evidence.reduce(0) { $0 + $1.weight }
        return needs.reduce(1) { $0 * $1.score } / (1 + exp(-1.5 * (sum - 0.35)))
    }

    /// The way through all points.
    private static func length(_ points: [Flight.Point]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { sum, pair in
            let way = pair.1.object.steadyPosition - pair.0.object.steadyPosition
            return sum + (way * way).sum().squareRoot()
        }
    }

    /// 0 at `from` and beyond, 1 at `to` and beyond, eased between.
    private static func need(
        _ name: String, _ value: Double, from: Double, to: Double
    ) -> (name: String, value: Double, score: Double) {
        let share = min(max((value - from) / (to - from), 0), 1)
        return (name, value, share.isNaN ? 0 : share * share * (3 - 2 * share))
    }

    /// How many times what limbs usually show, as a power of two; none counts for more than three times.
    private static func part(
        _ name: String, _ value: Double, usual: Double
    ) -> (name: String, value: Double, weight: Double) {
        (name, value, min(max(log2(max(value, 1e-9) / usual), -2), 1.6))
    }
}
