import Foundation
import KinemaCore

/// How far elbows, shoulders, hips and knees are bent in space, which looks the same from every side.
struct Bends {
    /// Radians, left before right.
    var angles = SIMD8<Float>(repeating: 0)
    /// How far each angle can be trusted, 0...1.
    var trust = SIMD8<Float>(repeating: 0)

    private static let corners: [(JointKey, JointKey, JointKey)] = [
        (.leftShoulder, .leftElbow, .leftWrist), (.rightShoulder, .rightElbow, .rightWrist),
        (.leftElbow, .leftShoulder, .leftHip), (.rightElbow, .rightShoulder, .rightHip),
        (.leftShoulder, .leftHip, .leftKnee), (.rightShoulder, .rightHip, .rightKnee),
        (.leftHip, .leftKnee, .leftAnkle), (.rightHip, .rightKnee, .rightAnkle),
    ]

    init() {}

    /// Without landmarks in space nothing is trusted.
    init(_ pose: Pose) {
        guard !pose.keypoints3D.isEmpty else { return }
        for (index, corner) in Self.corners.enumerated() {
            guard let first = pose.keypoints3D[corner.0], let middle = pose.keypoints3D[corner.1],
                let last = pose.keypoints3D[corner.2]
            else { continue }
            let (one, two) = (first.position - middle.position, last.position - middle.position)
            let lengths = ((one * one).sum() * (two * two).sum()).squareRoot()
            guard lengths > 0 else { continue }
            angles[index] = acos(max(-1, min(1, (one * two).sum() / lengths)))
            let seen = min(first.confidence, middle.confidence, last.confidence)
            trust[index] = min(1, max(0, (seen - 0.05) / 0.5))
        }
    }

    /// Comes nearer to other bends by a share (0...1) of the way.
    mutating func blend(_ other: Bends, share: Float) {
        angles += (other.angles - angles) * share
        trust += (other.trust - trust) * share
    }
}

/// The way from some bends to others: a movement as it looks from every side.
struct BendsAxis {
    /// How far apart the two are, radians.
    let length: Float
    private let origin: SIMD8<Float>
    private let direction: SIMD8<Float>

    init(from origin: Bends, to target: Bends) {
        let weighted = (target.angles - origin.angles) * target.trust * origin.trust
        length = (weighted * weighted).sum().squareRoot()
        self.origin = origin.angles
        direction = length > 0 ? weighted / length : .zero
    }

    /// Where bends are on the way: 0 at its beginning, 1 at its end; nil when too little of it can be seen.
    func place(of bends: Bends) -> Float? {
        let seen = direction * bends.trust
        let share = (seen * direction).sum()
        guard share > 0.3, length > 0 else { return nil }
        return ((bends.angles - origin) * seen).sum() / (share * length)
    }
}
