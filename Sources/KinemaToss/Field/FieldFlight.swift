import Foundation

/// The flight of a body that only gravity moves; velocities are in metres per second.
struct FieldFlight: Sendable {
    /// Standard gravity, m/s².
    static let gravity = 9.80665

    /// When it is at `position` with `velocity`, in seconds.
    var time: TimeInterval
    var position: FieldPoint
    /// Metres per second.
    var velocity: FieldPoint

    func position(at other: TimeInterval) -> FieldPoint {
        let t = other - time
        return position + velocity * t - FieldPoint(0, Self.gravity * t * t / 2, 0)
    }

    func velocity(at other: TimeInterval) -> FieldPoint {
        velocity - FieldPoint(0, Self.gravity * (other - time), 0)
    }
}
