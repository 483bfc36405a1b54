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
    package let id = UUID()
    /// Where it was seen, in order of time.
    package private(set) var points: [Point]
    /// The motion, in places that do not move with the camera.
    package private(set) var fit: BallisticFit
    /// How many frames there were from the first point to the last.
    package private(set) var frameCount: Int
    /// The mean radius.
    package private(set) var radius: Double
    /// How sure it is that this is a flight, 0...1.
    package private(set) var confidence = 0.0

    /// What free fall looks like for a thing of that size, per second squared.
    ///
    /// What people throw is 2 to 15 cm in radius, so 9.81 m/s² are 65 to 490 of its radii; 150 is in the middle, and
    /// the deviation reaches over both ends.
    static func prior(radius: Double) -> BallisticFit.Prior {
        BallisticFit.Prior(mean: SIMD2(0, -150 * radius), deviation: SIMD2(60 * radius, 150 * radius))
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

    private mutating func refit() -> Bool {
        guard let fit = BallisticFit(Self.samples(points), prior: Self.prior(radius: radius)) else { return false }
        self.fit = fit
        confidence = FlightConfidence(self).value
        return true
    }

    private mutating func count() {
        guard let first = points.first, let last = points.last else { return }
        frameCount = last.key.frame - first.key.frame + 1
    }

    private static func samples(_ points: [Point]) -> [BallisticFit.Sample] {
        points.map {
            BallisticFit.Sample(time: $0.time, position: $0.object.steadyPosition, deviation: $0.object.deviation)
        }
    }
}
