import Foundation
import KinemaCore

/// Makes postures of poses: steady, in torso lengths, blind to where the body is and how near.
///
/// Limbs are described by the mean of both sides and by half their difference. A hidden side thus follows the seen one,
/// and left and right mistaken for each other change little.
struct PostureReader {
    let aspectRatio: Float
    /// Time constant of the smoothing for fully trusted joints, seconds.
    var smoothing: Float = 0.04

    private var points: [SIMD2<Float>] = []
    private var confidence: [Float] = []
    private var noise: [Float] = []
    private var size: Float = 0
    private var apparentSize: Float = 0
    private var older: [SIMD2<Float>] = []
    private var newer: [SIMD2<Float>] = []
    private var bends: [SIMD2<Float>] = []
    private var space = BodySpace()
    /// Where the hips' middle is, torso lengths from where it was first seen: the way there, summed up. A place in the
    /// picture divided by the torso's length would move whenever that length is thought of anew.
    private var hips = SIMD2<Float>()
    private var lastTime: TimeInterval = 0

    init(aspectRatio: Double) {
        self.aspectRatio = Float(aspectRatio)
    }

    mutating func reset() {
        points = []
        size = 0
    }

    /// The posture of a pose, nil when there is too little of the body to tell.
    mutating func read(_ pose: Pose, at time: TimeInterval) -> Posture? {
        guard let joints = BodyJoints(pose, aspectRatio: aspectRatio), let length = joints.torsoLength else {
            return nil
        }
        let interval = Float(time - lastTime)
        if points.isEmpty {
            points = joints.points
            confidence = joints.confidences
            noise = joints.confidences.map { _ in 0 }
            size = length
            apparentSize = length
            older = points
            newer = points
            bends = points.map { _ in .zero }
            space = BodySpace(pose)
            hips = .zero
        } else {
            let before = middle(points, BodyJoints.hips)
            smooth(joints, interval: interval)
            hips += (middle(points, BodyJoints.hips) - before) / size
            space.blend(BodySpace(pose), share: interval / (interval + smoothing))
            size += (length - size) * interval / (interval + (length > size ? 0.5 : 2))
            apparentSize += (length - apparentSize) * interval / (interval + 0.3)
        }
        lastTime = time
        var posture = posture(at: time)
        posture.bends = Bends(pose)
        posture.space = space
        return posture
    }

    private mutating func smooth(_ joints: BodyJoints, interval: Float) {
        let slow = interval / (interval + 1)
        for index in points.indices {
            let trust = min(1, max(0.05, (joints.confidences[index] - 0.05) / 0.4))
            let gain = interval / (interval + smoothing / trust)
            let delta = joints.points[index] - points[index]
            points[index] += delta * gain
            confidence[index] += (joints.confidences[index] - confidence[index]) * slow
            let jump = jitter(joints.points[index], index)
            // Pictures farther apart than this show swift limbs at unrelated places.
            if interval < 0.08 { noise[index] += (jump - noise[index]) * slow }
        }
    }

    /// How much a joint jumps to and fro from frame to frame, torso lengths squared.
    ///
    /// Jitter bends a path one way and then the other, so that bends in a row disagree; swift movement does not. For
    /// independent errors the mean of this is their variance.
    private mutating func jitter(_ point: SIMD2<Float>, _ index: Int) -> Float {
        let bend = (newer[index] - (older[index] + point) / 2) / size
        defer { (older[index], newer[index], bends[index]) = (newer[index], point, bend) }
        return -(bend * bends[index]).sum()
    }

    private func posture(at time: TimeInterval) -> Posture {
        var (shape, weight) = shape(of: points, size: size)
        let torso = (middle(points, BodyJoints.shoulders) - middle(points, BodyJoints.hips)) / size
        (shape[Channel.heights + 1], shape[Channel.heights + 2]) = (hips.y + torso.y, hips.y)
        let centre = hips + torso / 2
        return Posture(time: time, shape: shape, weight: weight, centre: centre, size: apparentSize)
    }

    /// What joints at these places would look like, trusted as those are that were read; the torso has the given size.
    func shape(of points: [SIMD2<Float>], size: Float) -> (shape: SIMD32<Float>, weight: SIMD32<Float>) {
        var shape = SIMD32<Float>()
        var weight = SIMD32<Float>()
        let shoulder = middle(points, BodyJoints.shoulders)
        let hip = middle(points, BodyJoints.hips)
        var channel = 0
        func put(_ value: Float, _ importance: Float) {
            shape[channel] = value / size
            weight[channel] = importance
            channel += 1
        }
        let limbs = [
            (BodyJoints.wrists, BodyJoints.shoulders), (BodyJoints.elbows, BodyJoints.shoulders),
            (BodyJoints.ankles, BodyJoints.hips), (BodyJoints.knees, BodyJoints.hips),
        ]
        for (ends, roots) in limbs {
            let left = points[ends.0] - points[roots.0]
            let right = points[ends.1] - points[roots.1]
            let (l, r) = (trust(ends.0, roots.0), trust(ends.1, roots.1))
            let sum = l * l + r * r + 1e-6
            let mean = (left * l * l + right * r * r) / sum
            let half = (left - right) / 2
            let both = min(l, r)
            put(mean.x, max(l, r))
            put(mean.y, max(l, r))
            put(half.x, both)
            put(half.y, 0.6 * both)
        }
        let trunk = min(trustOfEither(BodyJoints.shoulders), trustOfEither(BodyJoints.hips))
        put(shoulder.x - hip.x, trunk)
        put(shoulder.y - hip.y, trunk)
        put(points[BodyJoints.nose].y - shoulder.y, 0.5 * trust(BodyJoints.nose, BodyJoints.shoulders.0))
        put(shoulder.y, 0.5 * trustOfEither(BodyJoints.shoulders))
        put(hip.y, 0.5 * trustOfEither(BodyJoints.hips))
        return (shape, weight)
    }

    private func middle(_ points: [SIMD2<Float>], _ pair: (Int, Int)) -> SIMD2<Float> {
        let (l, r) = (confidence[pair.0] + 0.01, confidence[pair.1] + 0.01)
        return (points[pair.0] * l + points[pair.1] * r) / (l + r)
    }

    /// How far a joint can be trusted: seen, and not jumping about by more than a tenth of the torso.
    private func trust(_ joint: Int) -> Float {
        let seen = min(1, max(0, (confidence[joint] - 0.05) / 0.5))
        return seen / (1 + max(0, noise[joint]) / (0.08 * 0.08))
    }

    private func trust(_ a: Int, _ b: Int) -> Float { min(trust(a), trust(b)) }
    private func trustOfEither(_ pair: (Int, Int)) -> Float { max(trust(pair.0), trust(pair.1)) }
}
