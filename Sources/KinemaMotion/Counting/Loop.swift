import Foundation

/// A way from a posture to a far one and back: a repetition perhaps.
struct Loop: CustomStringConvertible {
    var start: Posture
    var far: Posture
    var end: Posture
    /// How far the far posture is, torso lengths.
    var amplitude: Float
    /// How much of that way is left at the end, 0...1.
    var residual: Float
    /// Whether the watching began when the movement was under way.
    var isCutOff: Bool
    /// Whether it came back as far as it had come from.
    var isComplete: Bool
    /// Whether the watching ended before it was back.
    var isUnfinished = false
    var startTime: TimeInterval
    var endTime: TimeInterval

    var duration: TimeInterval { endTime - startTime }

    /// How far the whole body went meanwhile, torso lengths.
    var shift: Float {
        let delta = end.centre - start.centre
        return (delta * delta).sum().squareRoot()
    }

    /// How much the body grew in the picture meanwhile: 1 for not at all, always at least 1.
    var growth: Float {
        max(end.size / start.size, start.size / end.size)
    }

    /// How alike the ways of two loops are, -1...1.
    func alignment(with other: Loop) -> Float {
        let weight = far.weight * other.far.weight
        let (one, two) = (axis, other.axis)
        let lengths = ((one * one * weight).sum() * (two * two * weight).sum()).squareRoot()
        return lengths > 0 ? (one * two * weight).sum() / lengths : 0
    }

    /// From the resting to the far posture. The way back tells it better: the first repetition may begin elsewhere.
    private var axis: SIMD32<Float> {
        far.shape - (isUnfinished ? start : end).shape
    }

    var description: String {
        String(
            format: "%.2f..%.2f far %.2f amp %.2f res %.2f shift %.2f growth %.2f %@%@", startTime, endTime, far.time,
            amplitude,
            residual, shift, growth, isCutOff ? "cut off " : "", isComplete ? "" : "incomplete")
    }
}
