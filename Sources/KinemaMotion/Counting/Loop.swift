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
    /// The shapes at a quarter, a half and three quarters of the way out, at the far end, and of the way back.
    var phases: [SIMD32<Float>] = []
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

    /// How far two loops are from being the same movement, as a share of their size: 0 for equal, about 1 for unrelated.
    ///
    /// Postures are compared at equal phases, each relative to the posture its loop ended in. The way out is left out
    /// when one of the two did not begin like that.
    func unlikeness(to other: Loop) -> Float {
        let weight = far.weight * other.far.weight
        let first = isCutOff || other.isCutOff || !isComplete || !other.isComplete ? Self.outbound : 0
        let last = isUnfinished || other.isUnfinished ? Self.outbound + 1 : phases.count
        var sum: Float = 0
        for index in first..<last {
            let delta = (phases[index] - rest) - (other.phases[index] - other.rest)
            sum += (delta * delta * weight).sum()
        }
        var size: Float = 0
        for loop in [self, other] {
            let reach = loop.far.shape - loop.rest
            size += (reach * reach * weight).sum().squareRoot() / 2
        }
        return size > 0 ? (sum / Float(last - first)).squareRoot() / size : 1
    }

    /// How far the way back differs from the way out, as a share of the loop's size.
    var detour: Float {
        var sum: Float = 0
        for index in 0..<Self.outbound {
            let delta = (phases[index] - phases[phases.count - 1 - index]) * far.weight
            sum += (delta * delta).sum()
        }
        return (sum / Float(Self.outbound)).squareRoot() / max(amplitude, 1e-6)
    }

    /// How alike the ways of two loops are, -1...1.
    func alignment(with other: Loop) -> Float {
        let weight = far.weight * other.far.weight
        let (one, two) = (far.shape - rest, other.far.shape - other.rest)
        let lengths = ((one * one * weight).sum() * (two * two * weight).sum()).squareRoot()
        return lengths > 0 ? (one * two * weight).sum() / lengths : 0
    }

    /// The resting posture. The end tells it better than the start: the first repetition may begin elsewhere.
    private var rest: SIMD32<Float> {
        (isUnfinished ? start : end).shape
    }

    /// How many phases of the way out are compared.
    static let outbound = 3

    var description: String {
        String(
            format: "%.2f..%.2f far %.2f amp %.2f res %.2f shift %.2f growth %.2f detour %.2f %@%@", startTime, endTime,
            far.time,
            amplitude,
            residual, shift, growth, detour, isCutOff ? "cut off " : "", isComplete ? "" : "incomplete")
    }
}
