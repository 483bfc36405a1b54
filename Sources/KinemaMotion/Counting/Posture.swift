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
}

/// The straight way from one posture to another.
struct Axis {
    /// How far apart the two are, torso lengths.
    let length: Float
    private let origin: SIMD32<Float>
    private let direction: SIMD32<Float>

    init(from origin: Posture, to target: Posture) {
        let weighted = (target.shape - origin.shape) * target.weight
        length = (weighted * weighted).sum().squareRoot()
        self.origin = origin.shape
        direction = length > 0 ? weighted * target.weight / length : .zero
    }

    /// How far a posture lies along the way, torso lengths.
    func position(of posture: Posture) -> Float {
        ((posture.shape - origin) * direction).sum()
    }
}
