import Foundation

/// A way from a posture to a far one and back: a repetition perhaps.
struct Loop {
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
    /// Whether the camera changed in the middle of it.
    var isAcrossCut = false
    /// The shapes at a quarter, a half and three quarters of the way out, at the far end, and of the way back.
    var phases: [SIMD32<Float>] = []
    /// How long the body had rested in the starting posture, seconds.
    var restBefore: TimeInterval = 0
    /// How sure it is that this is a repetition, 0...1, once that was decided.
    var confidence: Float = 0
    /// Until when the body rested after it, as far as is known.
    var restedUntil: TimeInterval = 0
    /// Since when the body had been roughly in the starting posture.
    var quietSince: TimeInterval = 0
    /// How direct the way out and back was: 1 for straight, 0.64 for a circle, less for wandering.
    var directness: Float = 1
    var startTime: TimeInterval
    var endTime: TimeInterval

    var duration: TimeInterval { endTime - startTime }

    /// How long the body rested after it, as far as is known.
    var restedFor: TimeInterval { max(0, restedUntil - endTime) }

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
    /// The same movement of the other side is the same: who curls left and right in turn repeats a curl.
    func unlikeness(to other: Loop) -> Float {
        var least = unlikeness(to: other, signs: SIMD32(repeating: 1))
        for signs in [Channel.exchanged, Channel.reflected] where least > 0.3 {
            least = min(least, unlikeness(to: other, signs: signs))
        }
        return least
    }

    /// Compares postures at equal phases, each relative to the posture its loop ended in. The way out is left out when
    /// one of the two did not begin like that.
    private func unlikeness(to other: Loop, signs: SIMD32<Float>) -> Float {
        let weight = far.weight * other.far.weight
        let first = isCutOff || other.isCutOff || !isComplete || !other.isComplete ? Self.outbound : 0
        let last = isUnfinished || other.isUnfinished ? Self.outbound + 1 : phases.count
        let range = min(first, last - 1)..<last
        var (own, others, both) = (Float(0), Float(0), Float(0))
        for index in range {
            let one = phases[index] - rest
            let two = (other.phases[index] - other.rest) * signs
            own += (one * one * weight).total
            others += (two * two * weight).total
            both += (one * two * weight).total
        }
        guard own > 0, others > 0 else { return 1 }
        // How deep it went is not what makes it another movement: the other is scaled to fit.
        let scale = max(Self.scales.lowerBound, min(Self.scales.upperBound, both / others))
        let rest = max(0, own - 2 * scale * both + scale * scale * others)
        let size = (own.squareRoot() + scale * others.squareRoot()) / 2
        return rest.squareRoot() / size * Self.spread
    }

    /// The shapes on the way from the resting posture to the far one: the mean of the way out and the way back.
    var way: [SIMD32<Float>] {
        let middle = (0..<Self.outbound).map { index in
            let back = phases[phases.count - 1 - index]
            return isCutOff || isUnfinished ? (isUnfinished ? phases[index] : back) : (phases[index] + back) / 2
        }
        return [rest] + middle + [far.shape]
    }

    /// Whether two loops of the same movement are of the same side of the body.
    func isSameSide(as other: Loop) -> Bool {
        let own = unlikeness(to: other, signs: SIMD32(repeating: 1))
        return own < 0.3 || own <= unlikeness(to: other)
    }

    /// How much deeper or less deep the same movement may be.
    private static let scales: ClosedRange<Float> = 0.4...2.5
    /// The mean of a way's squares is about half of its end's square.
    private static let spread: Float = 0.7

    /// How far the way out and the way back of a later loop differ that began where this one turned: both lead the same
    /// way, since the later one is the same movement read from its other end.
    func outboundUnlikeness(toReturnOf late: Loop) -> Float {
        let weight = far.weight * late.far.weight
        let out = [start.shape] + phases[0..<Self.outbound] + [far.shape]
        let back = [late.far.shape] + late.phases[(Self.outbound + 1)...] + [late.end.shape]
        var sum: Float = 0
        for (one, two) in zip(out, back) {
            let delta = (one - far.shape) - (two - late.end.shape)
            sum += (delta * delta * weight).total
        }
        return (sum / Float(out.count)).squareRoot() / max(1e-6, (amplitude + late.amplitude) / 2)
    }

    /// How far the way back differs from the way out, as a share of the loop's size.
    var detour: Float {
        var sum: Float = 0
        for index in 0..<Self.outbound {
            let delta = (phases[index] - phases[phases.count - 1 - index]) * far.weight
            sum += (delta * delta).total
        }
        return (sum / Float(Self.outbound)).squareRoot() / max(amplitude, 1e-6)
    }

    /// How far the limb that came back least is from where it began, torso lengths.
    var leftover: Float {
        let delta = (end.shape - start.shape) * end.weight
        return max(delta.max(), -delta.min())
    }

    /// The loop from the far posture of one loop over its end to the far posture of the next: the same movement, read
    /// from its other end.
    static func between(_ early: Loop, _ late: Loop) -> Loop {
        let middle = early.end
        let amplitude = late.far.distance(to: middle)
        return Loop(
            start: early.far, far: middle, end: late.far, amplitude: amplitude,
            residual: early.far.distance(to: late.far) / max(amplitude, 1e-6), isCutOff: false, isComplete: true,
            phases: Array(early.phases[(outbound + 1)...]) + [middle.shape] + Array(late.phases[..<outbound]),
            directness: min(early.directness, late.directness), startTime: early.far.time, endTime: late.far.time)
    }

    /// Whether two loops are at the same time for a good part.
    func overlaps(_ other: Loop) -> Bool {
        min(endTime, other.endTime) - max(startTime, other.startTime) > 0.25 * min(duration, other.duration)
    }

    /// Whether a body can do this on the spot.
    var isPossible: Bool {
        duration > 0.25 && duration < 13
            && (isAcrossCut || shift < max(0.6, 0.4 * amplitude) && growth < 1.3)
    }

    /// How clean and large the loop is, 0...1.
    var strength: Float {
        // What takes the whole body, as a burpee, may go several ways one after the other.
        let leastDirectness = 0.45 - 0.2 * max(0, min(1, amplitude - 1))
        var strength = min(1, amplitude / 0.7) * max(0, min(1, (directness - leastDirectness) / 0.25))
        if !isComplete || isCutOff { strength *= 0.6 }
        return strength * (isUnfinished ? 0.8 : 1 - residual)
    }

    /// How much higher one side went than the other, as a share of the loop's size.
    var asymmetry: Float {
        let delta = (far.shape - start.shape) * far.weight
        let sides = [Channel.hands, Channel.elbows, Channel.feet, Channel.knees].map { abs(delta[$0 + 3]) }
        return (sides.max() ?? 0) / max(1e-6, amplitude)
    }

    /// Whether the hands went down to the feet and up again, as in picking something up.
    var reachesDown: Bool {
        far.handHeight < 0.7 && start.handHeight - far.handHeight > 0.5
    }

    /// How alike the ways of two loops are, -1...1.
    func alignment(with other: Loop) -> Float {
        let weight = far.weight * other.far.weight
        let (one, two) = (far.shape - rest, other.far.shape - other.rest)
        let lengths = ((one * one * weight).total * (two * two * weight).total).squareRoot()
        return lengths > 0 ? (one * two * weight).total / lengths : 0
    }

    /// The resting posture. The end tells it better than the start: the first repetition may begin elsewhere.
    private var rest: SIMD32<Float> {
        (isUnfinished ? start : end).shape
    }

    /// How many phases of the way out are compared.
    static let outbound = 3
}

/// Tells how far along its way a movement is: 0 in the posture it begins and ends in, 1 where it turns.
///
/// The way is a line through a few postures, and how far a body is on it is measured along the line: limbs move on arcs,
/// so that the straight distance would say little near both ends.
struct Phase {
    private var ways: [Way]

    /// The phase on the way through the given shapes, the first where the movement begins and the last where it turns.
    ///
    /// `reach` is how far repetitions usually go, as a share of that way. Who moves one side may change to the other: the
    /// way of the mirror image then counts as well.
    init(through shapes: [SIMD32<Float>], weight: SIMD32<Float>, reach: Float) {
        ways = [Way(shapes, weight: weight, reach: reach)]
        guard let rest = shapes.first, let far = shapes.last else { return }
        let change = (far - rest) * weight
        let oneSided = change * (SIMD32(repeating: 1) - Channel.exchanged) / 2
        guard (oneSided * oneSided).total > Self.oneSidedness * (change * change).total else { return }
        for signs in [Channel.exchanged, Channel.reflected] {
            ways.append(Way(shapes.map { rest + ($0 - rest) * signs }, weight: weight, reach: reach))
        }
    }

    /// From which share of the squared way on a movement is one of one side: a fifth, since one arm alone gives a half.
    private static let oneSidedness: Float = 0.2

    /// Where a posture is on the way.
    func place(of posture: Posture) -> Float {
        var best: (distance: Float, place: Float) = (.infinity, 0)
        for way in ways {
            let found = way.place(of: posture.shape)
            if found.distance < best.distance { best = found }
        }
        return best.place
    }
}

/// A line through shapes.
private struct Way {
    private struct Stretch {
        var origin: SIMD32<Float>
        var direction: SIMD32<Float>
        var length: Float
        var begin: Float
    }
    private var stretches: [Stretch] = []
    private let weight: SIMD32<Float>
    private var length: Float = 0
    private let reach: Float

    init(_ shapes: [SIMD32<Float>], weight: SIMD32<Float>, reach: Float) {
        self.weight = weight
        self.reach = reach
        for (one, two) in zip(shapes, shapes.dropFirst()) {
            let delta = (two - one) * weight
            let step = (delta * delta).total.squareRoot()
            guard step > 0 else { continue }
            stretches.append(Stretch(origin: one * weight, direction: delta / step, length: step, begin: length))
            length += step
        }
    }

    /// The nearest point of the line: its place and its squared distance. The line goes on a little at both ends.
    func place(of shape: SIMD32<Float>) -> (distance: Float, place: Float) {
        guard length > 0 else { return (.infinity, 0) }
        let point = shape * weight
        var best: (distance: Float, place: Float) = (.infinity, 0)
        for (index, stretch) in stretches.enumerated() {
            let delta = point - stretch.origin
            let low: Float = index == 0 ? -0.3 * length : 0
            let high = index == stretches.count - 1 ? stretch.length + 0.3 * length : stretch.length
            let along = max(low, min(high, (delta * stretch.direction).total))
            let distance = (delta * delta).total - 2 * along * (delta * stretch.direction).total + along * along
            if distance < best.distance { best = (distance, (stretch.begin + along) / (length * reach)) }
        }
        return best
    }
}
