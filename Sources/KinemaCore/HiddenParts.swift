import Foundation

/// The parts of one picture to hide.
package struct HiddenParts: Sendable {
    /// A circle around a head, in pixels from the picture's upper left corner.
    package struct Head: Sendable, Hashable {
        package var center: SIMD2<Double>
        package var radius: Double

        package init(center: SIMD2<Double>, radius: Double) { (self.center, self.radius) = (center, radius) }

        /// Whether this circle covers the other one's middle, or the other way round.
        package func touches(_ other: Head) -> Bool {
            let away = center - other.center
            return (away * away).sum().squareRoot() < max(radius, other.radius)
        }
    }

    /// From a head's radius to the length of its body: a head's height is 0.13 of the standing height (Drillis and Contini).
    private static let bodyOfHead = 15.0
    /// From this probability on a pixel is hidden with the person, of 255.
    package static let leastOfPerson: UInt8 = 64

    package var hiding: Hiding
    package var heads: [Head]
    /// In the picture's size; nil where only faces are hidden.
    package var mask: PersonMask?

    package init(_ hiding: Hiding, heads: [Head], mask: PersonMask?) {
        (self.hiding, self.heads, self.mask) = (hiding, heads, mask)
    }

    /// Hides a body's length around each head on which no silhouette lies, unless it is that of a pose which has one.
    package mutating func hideBodies(besides poses: [Pose], width: Int, height: Int) {
        let size = SIMD2(Double(width), Double(height))
        let known = poses.filter { pose in
            pose.keypoints.values.contains { joint in
                covers(Head(center: SIMD2(joint.location.x, 1 - joint.location.y) * size, radius: 0))
            }
        }.compactMap { Head($0, width: width, height: height) }
        for index in heads.indices where !covers(heads[index]) && !known.contains(where: { $0.touches(heads[index]) }) {
            heads[index].radius *= Self.bodyOfHead
        }
    }

    /// Whether a silhouette covers the centre of a head.
    package func covers(_ head: Head) -> Bool {
        guard hiding == .people, let mask, head.center.x >= 0, head.center.y >= 0 else { return false }
        let (x, y) = (Int(head.center.x), Int(head.center.y))
        return x < mask.width && y < mask.height && mask.values[y * mask.width + x] >= Self.leastOfPerson
    }
}

extension HiddenParts.Head {
    /// A head is as wide as this share of the trunk at least, and of the distance of the ears: with hair, and room for what
    /// the landmarks err. (A head's height is 0.13 and the trunk 0.29 of the standing height: Drillis and Contini in Winter,
    /// Biomechanics of Human Movement.)
    private static let ofTrunk = 0.38, ofEars = 1.4, ofNeck = 1.0, toCrown = 0.15

    /// The head of a pose in a picture of the given size; nil without joints of a head.
    package init?(_ pose: Pose, width: Int, height: Int) {
        let size = SIMD2(Double(width), Double(height))
        func point(_ key: JointKey) -> SIMD2<Double>? {
            pose.keypoints[key].map { SIMD2($0.location.x, 1 - $0.location.y) * size }
        }
        func middle(_ one: JointKey, _ other: JointKey) -> SIMD2<Double>? {
            guard let one = point(one), let other = point(other) else { return point(one) ?? point(other) }
            return (one + other) / 2
        }
        func distance(_ one: SIMD2<Double>?, _ other: SIMD2<Double>?) -> Double {
            guard let one, let other else { return 0 }
            return ((one - other) * (one - other)).sum().squareRoot()
        }
        let face = [point(.nose), middle(.leftEye, .rightEye), middle(.leftEar, .rightEar)].compactMap(\.self)
        guard !face.isEmpty else { return nil }
        center = face.reduce(.zero, +) / Double(face.count)
        let (neck, hips) = (middle(.leftShoulder, .rightShoulder), middle(.leftHip, .rightHip))
        radius = max(
            Self.ofTrunk * distance(neck, hips), Self.ofEars * distance(point(.leftEar), point(.rightEar)),
            Self.ofNeck * distance(neck, center))
        // The middle of a head lies above that of its face.
        if let neck { center += (center - neck) * Self.toCrown }
        guard radius.isFinite, radius > 0, center.x.isFinite, center.y.isFinite else { return nil }
    }
}
