import Foundation

/// A body's shape at one moment as a point in a space of channels, each in torso lengths.
struct Posture {
    var time: TimeInterval
    /// How the limbs lie, see `PostureReader`.
    var shape: SIMD32<Float>
    /// How much each channel can be trusted and matters, 0...1.
    var weight: SIMD32<Float>
    /// Where the middle of the body is, torso lengths.
    var centre: SIMD2<Float>
    /// The torso's length, picture heights.
    var size: Float

    /// How far apart two postures are, torso lengths.
    func distance(to other: Posture) -> Float {
        let delta = (shape - other.shape) * weight
        return (delta * delta).sum().squareRoot()
    }

    /// How far this posture lies from `origin` in the direction of `target`, torso lengths.
    func progress(from origin: Posture, towards target: Posture) -> Float {
        let axis = (target.shape - origin.shape) * weight
        let length = (axis * axis).sum().squareRoot()
        guard length > 1e-6 else { return 0 }
        return ((shape - origin.shape) * weight * axis).sum() / length
    }
}
