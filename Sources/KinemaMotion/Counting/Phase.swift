import Foundation

/// Tells how far along its way a movement is: 0 in the posture it begins and ends in, 1 where it turns.
struct Phase {
    private let axes: [Axis]
    private let reach: Float

    /// The phase between two postures, or as far in that direction as `reach`, torso lengths.
    ///
    /// Who moves one side may change to the other: the way of the mirror image then counts as well.
    init(from rest: Posture, to far: Posture, reach: Float) {
        self.reach = max(reach, 1e-6)
        var axes = [Axis(from: rest, to: far)]
        let way = (far.shape - rest.shape) * far.weight
        let oneSided = way * (SIMD32(repeating: 1) - Channel.exchanged) / 2
        if (oneSided * oneSided).total > Self.oneSidedness * (way * way).total {
            axes += [Channel.exchanged, Channel.reflected].map { Axis(from: rest, to: far, signs: $0) }
        }
        self.axes = axes
    }

    /// From which share of the squared way on a movement is one of one side: a fifth, since one arm alone gives a half.
    private static let oneSidedness: Float = 0.2

    /// Where a posture is on the way.
    func place(of posture: Posture) -> Float {
        axes.reduce(-.infinity) { max($0, $1.position(of: posture)) } / reach
    }
}
