import Foundation
package import KinemaCore

/// Which hands are in view, and which were a moment ago: keeps each hand's number through short losses.
struct HandRoster: Sendable {
    /// Two regions that overlap by more than this are one hand seen twice; MediaPipe's value.
    static let sameHand = 0.5
    /// How long a hand that was lost is remembered, seconds.
    static let memory: TimeInterval = 1
    /// How long the model's opinion about left or right is averaged over, seconds: longer than a few blurred frames.
    static let sideMemory: TimeInterval = 0.5

    /// A hand followed from frame to frame.
    struct Track: Sendable {
        let id: Int
        var hand: HandLandmarks
        /// How likely it is a right hand over the last frames, 0...1.
        var rightness: Float
        var time: TimeInterval

        mutating func see(_ hand: HandLandmarks, at time: TimeInterval) {
            let share = Float(min(1, max(0, time - self.time) / HandRoster.sideMemory))
            rightness += (hand.rightness - rightness) * share
            self.hand = hand
            self.time = time
        }
    }

    private(set) var tracks: [Track] = []
    private(set) var absent: [Track] = []
    private var lastID = 0

    /// Whether a hand was lost so lately that it is worth looking for in every frame.
    var isMissingSomeone: Bool { !absent.isEmpty }

    /// Takes what each track's region showed, in the order of `tracks`; nil where no hand was.
    mutating func follow(_ hands: [HandLandmarks?], at time: TimeInterval) {
        var kept: [Track] = []
        for (index, hand) in hands.enumerated() {
            var track = tracks[index]
            if let hand {
                track.see(hand, at: time)
                // Of two tracks that slid onto one hand the surer goes on.
                let double = kept.firstIndex { $0.hand.next.overlap(hand.next) > Self.sameHand }
                if let double {
                    if kept[double].hand.presence < hand.presence { swap(&kept[double], &track) }
                    absent.append(track)
                } else {
                    kept.append(track)
                }
            } else {
                absent.append(track)
            }
        }
        tracks = kept
        absent.removeAll { time - $0.time > Self.memory || time < $0.time }
    }

    /// Whether a region is one that is followed already.
    func isFollowed(_ region: Region) -> Bool {
        tracks.contains {
            $0.hand.next.overlap(region) > Self.sameHand || $0.hand.region.overlap(region) > Self.sameHand
        }
    }

    /// Takes a newly found hand: one that was away, or a new one.
    mutating func welcome(_ hand: HandLandmarks, at time: TimeInterval) {
        let costs = absent.map { cost(of: hand, as: $0, at: time) }
        if let best = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[best] < 1 {
            var track = absent.remove(at: best)
            track.see(hand, at: time)
            tracks.append(track)
        } else {
            lastID += 1
            tracks.append(Track(id: lastID, hand: hand, rightness: hand.rightness, time: time))
        }
        tracks.sort { $0.id < $1.id }
    }

    /// How badly a hand fits one that was lost: 1 and more is another hand.
    private func cost(of hand: HandLandmarks, as lost: Track, at time: TimeInterval) -> Double {
        // A hand covers at most some twenty of its lengths a second: two metres a second at ten centimetres.
        let reach = max(hand.length, lost.hand.length) * (1.5 + 20 * max(0, time - lost.time))
        let distance = (hand.next.center - lost.hand.next.center).length / max(reach, 1)
        return distance + 0.7 * Double(abs(hand.rightness - lost.rightness))
    }
}

extension Region {
    /// Intersection over union of the two squares as if neither were turned.
    func overlap(_ other: Region) -> Double {
        let reach = (side + other.side) / 2
        let width = min(reach - abs(center.x - other.center.x), min(side, other.side))
        let height = min(reach - abs(center.y - other.center.y), min(side, other.side))
        guard width > 0, height > 0 else { return 0 }
        return width * height / (side * side + other.side * other.side - width * height)
    }
}

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
