import Foundation

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
