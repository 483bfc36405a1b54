import Foundation
import KinemaCore

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
    /// How the limbs are bent in space, if that is known.
    var bends = Bends()
    /// Where the joints are in space, if that is known.
    var space = BodySpace()

    /// How high the hands are above the ankles, torso lengths.
    var handHeight: Float {
        shape[Channel.hands + 1] + shape[Channel.trunk + 1] - shape[Channel.feet + 1]
    }

    /// Comes nearer to another posture by a share (0...1) of the way.
    mutating func blend(_ other: Posture, share: Float) {
        shape += (other.shape - shape) * share
        weight += (other.weight - weight) * share
        centre += (other.centre - centre) * share
        size += (other.size - size) * share
        bends.blend(other.bends, share: share)
    }

    /// How far apart two postures are, torso lengths.
    func distance(to other: Posture) -> Float {
        // Eight at a time: machines without wide registers spill all 32 to the stack. The last eight are never used.
        let one = (shape.lowHalf.lowHalf - other.shape.lowHalf.lowHalf) * weight.lowHalf.lowHalf
        let two = (shape.lowHalf.highHalf - other.shape.lowHalf.highHalf) * weight.lowHalf.highHalf
        let three = (shape.highHalf.lowHalf - other.shape.highHalf.lowHalf) * weight.highHalf.lowHalf
        let eight = one * one + two * two + three * three
        let four = eight.lowHalf + eight.highHalf
        return (four.x + four.y + four.z + four.w).squareRoot()
    }
}

/// Where in a posture's shape what is.
///
/// For each pair of limbs, relative to shoulders or hips: the sides' mean x and y, then half their difference x and y.
enum Channel {
    static let hands = 0
    static let elbows = 4
    static let feet = 8
    static let knees = 12
    /// From the hips' to the shoulders' middle: x, y.
    static let trunk = 16
    /// The nose above the shoulders, then shoulders and hips in the picture: y only.
    static let heights = 18

    /// Signs of a posture with left and right exchanged as a camera from the side sees it.
    static let exchanged = signs(negative: [2, 3, 6, 7, 10, 11, 14, 15])
    /// Signs of a posture with left and right exchanged as a camera from the front sees it.
    static let reflected = signs(negative: [0, 3, 4, 7, 8, 11, 12, 15, 16])

    private static func signs(negative: [Int]) -> SIMD32<Float> {
        var signs = SIMD32<Float>(repeating: 1)
        for index in negative { signs[index] = -1 }
        return signs
    }
}

/// The straight way from one posture to another.
struct Axis {
    /// How far apart the two are, torso lengths.
    let length: Float
    private let origin: SIMD32<Float>
    private let direction: SIMD32<Float>

    /// The way of the mirror image if signs are given, see `Channel`.
    init(from origin: Posture, to target: Posture, signs: SIMD32<Float> = .init(repeating: 1)) {
        let weighted = (target.shape - origin.shape) * signs * target.weight
        length = (weighted * weighted).total.squareRoot()
        self.origin = origin.shape
        direction = length > 0 ? weighted * target.weight / length : .zero
    }

    /// How far a posture lies along the way, torso lengths.
    func position(of posture: Posture) -> Float {
        ((posture.shape - origin) * direction).total
    }
}

extension SIMD32<Float> {
    /// The sum of all elements. The standard library's adds them one after the other, which takes several times longer.
    var total: Float {
        let eight = lowHalf.lowHalf + lowHalf.highHalf + highHalf.lowHalf + highHalf.highHalf
        let four = eight.lowHalf + eight.highHalf
        return four.x + four.y + four.z + four.w
    }
}

/// What can be said about a way out and back through postures in order of time.
extension [Posture] {
    /// The shapes a quarter, a half and three quarters of the way out, at the far end, and back, however long each took.
    func phases(from origin: Int, over far: Int, to last: Int) -> [SIMD32<Float>] {
        let (out, back) = (Axis(from: self[origin], to: self[far]), Axis(from: self[far], to: self[last]))
        var phases: [SIMD32<Float>] = []
        var index = origin
        for share in [0.25, 0.5, 0.75] as [Float] {
            while index < far, out.position(of: self[index]) < share * out.length { index += 1 }
            phases.append(self[index].shape)
        }
        phases.append(self[far].shape)
        index = far
        for share in [0.25, 0.5, 0.75] as [Float] {
            while index < last, back.position(of: self[index]) < share * back.length { index += 1 }
            phases.append(self[index].shape)
        }
        return phases
    }

    /// The shortest way over the way gone. Steps of a sixteenth of it, or a tenth of a second, leave jitter out.
    func directness(from origin: Int, over far: Int, to last: Int) -> Float {
        let step = Swift.max(0.1, (self[last].time - self[origin].time) / 16)
        var length: Float = 0
        var before = self[origin]
        for index in origin...last where self[index].time - before.time >= step || index == far || index == last {
            length += self[index].distance(to: before)
            before = self[index]
        }
        let shortest = self[far].distance(to: self[origin]) + self[far].distance(to: self[last])
        return length > 0 ? Swift.min(1, shortest / length) : 0
    }
}
