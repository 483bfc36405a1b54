import Foundation

/// Assigns hands to people by the distance between each hand's wrist and the wrists of the bodies.
package struct HandAssignment: Sendable {
    package struct Wrist: Sendable, Hashable {
        package var person: Int
        package var side: HumanHandPoseObservation.Chirality

        package init(person: Int, side: HumanHandPoseObservation.Chirality) {
            (self.person, self.side) = (person, side)
        }
    }

    /// The wrist of each hand; nil for a hand that is near no wrist.
    package private(set) var wrists: [Wrist?]

    /// The maximum hand-to-wrist distance, in hand lengths (wrist to middle knuckle); fast arms are off by one.
    private static let maximumDistance = 1.5
    /// The cost, in hand lengths, of a wrist on the side that the hand model rules out; people cross their arms.
    private static let wrongSideCost = 0.5
    private static let minimumConfidence: Float = 0.2

    /// Assigns hands to people, nearest pairs first; `aspectRatio` is the picture's width divided by its height.
    package init(_ hands: [HumanHandPoseObservation], to people: [Pose], aspectRatio: Double) {
        wrists = Array(repeating: nil, count: hands.count)
        var pairs: [(cost: Double, hand: Int, wrist: Wrist)] = []
        for (index, hand) in hands.enumerated() {
            guard let wrist = hand.pose.keypoints[.wrist]?.location,
                let knuckle = hand.pose.keypoints[.middleMCP]?.location
            else { continue }
            let length = max(Self.distance(wrist, knuckle, aspectRatio), 1e-6)
            for (person, pose) in people.enumerated() {
                for (key, side) in [
                    (JointKey.leftWrist, HumanHandPoseObservation.Chirality.left), (.rightWrist, .right),
                ] {
                    guard let joint = pose.keypoints[key], joint.confidence >= Self.minimumConfidence else { continue }
                    let distance = Self.distance(wrist, joint.location, aspectRatio) / length
                    guard distance <= Self.maximumDistance else { continue }
                    let sideCost = hand.chirality == nil || hand.chirality == side ? 0 : Self.wrongSideCost
                    pairs.append((distance + sideCost, index, Wrist(person: person, side: side)))
                }
            }
        }
        var taken: Set<Wrist> = []
        for pair in pairs.sorted(by: { $0.cost < $1.cost }) where wrists[pair.hand] == nil {
            guard taken.insert(pair.wrist).inserted else { continue }
            wrists[pair.hand] = pair.wrist
        }
    }

    /// The distance of two points in picture heights.
    private static func distance(_ a: CGPoint, _ b: CGPoint, _ aspectRatio: Double) -> Double {
        hypot((a.x - b.x) * aspectRatio, a.y - b.y)
    }
}
