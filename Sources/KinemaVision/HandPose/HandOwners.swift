import Foundation
package import KinemaCore

/// Whose hand is whose: each hand goes to the wrist it begins at.
package struct HandOwners: Sendable {
    /// A hand's place on a body.
    package struct Place: Sendable, Hashable {
        /// The person's place in the list of people.
        package var person: Int
        /// Which of the person's hands it is.
        package var side: HumanHandPoseObservation.Chirality
    }

    /// The place of each hand; nil where nobody's wrist is near.
    package private(set) var places: [Place?]

    /// A hand begins within this many hand lengths (wrist to middle knuckle) of its wrist: the body model's wrist lies up
    /// to a hand's length off when the arm moves fast.
    private static let reach = 1.5
    /// What the hand model's own opinion about left and right counts for, in hand lengths; bodies cross their arms.
    private static let wrongSide = 0.5
    /// Wrists of less confidence own no hand.
    private static let minimumConfidence: Float = 0.2

    /// Gives hands to people, the nearest first; `aspectRatio` is the picture's width divided by its height.
    package init(_ hands: [HumanHandPoseObservation], of people: [Pose], aspectRatio: Double) {
        places = Array(repeating: nil, count: hands.count)
        var offers: [(cost: Double, hand: Int, place: Place)] = []
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
                    guard distance <= Self.reach else { continue }
                    let doubt = hand.chirality == nil || hand.chirality == side ? 0 : Self.wrongSide
                    offers.append((distance + doubt, index, Place(person: person, side: side)))
                }
            }
        }
        var taken: Set<Place> = []
        for offer in offers.sorted(by: { $0.cost < $1.cost }) where places[offer.hand] == nil {
            guard taken.insert(offer.place).inserted else { continue }
            places[offer.hand] = offer.place
        }
    }

    /// In heights of the picture.
    private static func distance(_ a: CGPoint, _ b: CGPoint, _ aspectRatio: Double) -> Double {
        hypot((a.x - b.x) * aspectRatio, a.y - b.y)
    }
}
