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
