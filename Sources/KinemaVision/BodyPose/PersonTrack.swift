import Foundation

/// One person followed from frame to frame.
struct PersonTrack: Sendable {
    /// What is known of a person while nobody stands close: trusted when people come apart again.
    struct Portrait: Sendable {
        var middle: SIMD2<Double>
        var size: Double
        /// Pixels a second.
        var velocity: SIMD2<Double>
        var time: TimeInterval
        var appearance: Appearance?
        /// Whether there was a cut since, so that place and size may be any.
        var isElsewhere = false
    }

    let id: Int
    var body: BodyLandmarks
    var portrait: Portrait
    /// Where the person is looked for in the next frame.
    private(set) var next: Region
    private var step = SIMD2<Double>()
    private var follower = RegionFollower()

    init(id: Int, body: BodyLandmarks, appearance: Appearance?, at time: TimeInterval) {
        self.id = id
        self.body = body
        portrait = Portrait(
            middle: body.middle, size: body.size, velocity: .zero, time: time, appearance: appearance)
        next = follower.next(after: body)
    }

    /// Takes the body seen in this frame.
    mutating func see(_ body: BodyLandmarks) {
        self.body = body
        let before = next.center
        next = follower.next(after: body)
        step = next.center - before
    }

    /// Takes the body of a better look at the frame that the person was found in.
    mutating func settle(_ body: BodyLandmarks) {
        self.body = body
        follower = RegionFollower()
        next = follower.next(after: body)
        (portrait.middle, portrait.size) = (body.middle, body.size)
    }

    /// Where the person is looked for in the next frame, or in the one after it when one more is still unseen.
    func region(ahead: Int) -> Region {
        var region = next
        region.center += step * Double(ahead)
        return region
    }

    /// Where somebody who was lost should be by now: further on the way for a second, then nobody knows.
    func expectedRegion(at time: TimeInterval) -> Region {
        Region(center: portrait.place(at: time, motionLasting: 1), side: portrait.size * 2.5, angle: next.angle)
    }

    /// Renews the portrait from a frame in which the person stands apart from others.
    mutating func sit(appearance: Appearance?, at time: TimeInterval) {
        let passed = time - portrait.time
        guard passed > 0 else { return }
        // A velocity over about 0.2 s: shorter is jitter, longer misses a turn.
        let share = min(1, passed / 0.2)
        let velocity = (body.middle - portrait.middle) / passed
        portrait.velocity += (velocity - portrait.velocity) * share
        portrait.size += (body.size - portrait.size) * share
        portrait.middle = body.middle
        portrait.time = time
        portrait.isElsewhere = false
        if let appearance {
            if portrait.appearance == nil { portrait.appearance = appearance }
            // Half a second until a new look is believed.
            portrait.appearance?.follow(appearance, share: Float(min(1, passed / 0.5)))
        }
    }

    /// Takes over the body and the region of another track: who was followed under the wrong number.
    mutating func exchangeBody(with other: inout PersonTrack) {
        swap(&body, &other.body)
        swap(&next, &other.next)
        swap(&step, &other.step)
        swap(&follower, &other.follower)
    }
}

extension PersonTrack.Portrait {
    /// What place and size count at most after a cut: whoever looks much like before is the same.
    private static let changeByCut = 0.7

    /// Where the person should be at a time: motion goes on for so many seconds, then nobody knows.
    func place(at time: TimeInterval, motionLasting limit: TimeInterval = 0.5) -> SIMD2<Double> {
        middle + velocity * min(max(0, time - self.time), limit)
    }

    /// How badly a body fits this person at a time: 0 exactly, about 1 doubtful, more is someone else.
    ///
    /// Position counts in body sizes against what the person can have moved since; looks count as much again.
    func cost(of body: BodyLandmarks, appearance: Appearance?, at time: TimeInterval) -> Double {
        let passed = max(0, time - self.time)
        // A person covers about two body sizes a second.
        let reach = max(size, body.size) * (0.5 + 2 * passed)
        let distance = (body.middle - place(at: time)).length / max(reach, 1)
        let growth = abs(log(max(body.size, 1) / max(size, 1)))
        let looks = appearance.flatMap { self.appearance?.difference(from: $0) }.map(Double.init) ?? 0.3
        let change = distance + 0.5 * growth
        return (isElsewhere ? min(change, Self.changeByCut) : change) + looks
    }
}

extension BodyLandmarks {
    /// About half the person's height in pixels: from the middle of the hips to the rim of the body's circle.
    var size: Double {
        (rim - middle).length
    }

    /// By how much the direction from the hips to the rim differs, 0 to pi.
    func turn(to other: BodyLandmarks) -> Double {
        let (mine, theirs) = (rim - middle, other.rim - other.middle)
        let cross = mine.x * theirs.y - mine.y * theirs.x
        return abs(atan2(cross, (mine * theirs).sum()))
    }

    /// How much of the smaller box around the joints lies in the larger one, 0...1.
    func boxOverlap(with other: BodyLandmarks) -> Double {
        let (mine, theirs) = (box, other.box)
        let shared = pointwiseMin(mine.high, theirs.high) - pointwiseMax(mine.low, theirs.low)
        guard shared.x > 0, shared.y > 0 else { return 0 }
        func area(_ box: (low: SIMD2<Double>, high: SIMD2<Double>)) -> Double {
            (box.high.x - box.low.x) * (box.high.y - box.low.y)
        }
        return shared.x * shared.y / max(1, min(area(mine), area(theirs)))
    }

    private var box: (low: SIMD2<Double>, high: SIMD2<Double>) {
        points.reduce((SIMD2(repeating: .infinity), SIMD2(repeating: -.infinity))) {
            (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
        }
    }

    /// The mean distance between the joints of two bodies, in body sizes, over joints both are sure of.
    func distance(to other: BodyLandmarks) -> Double {
        var total = 0.0
        var count = 0.0
        for index in points.indices where visibility[index] >= 0.3 && other.visibility[index] >= 0.3 {
            total += (points[index] - other.points[index]).length
            count += 1
        }
        let size = max(1, min(self.size, other.size))
        return count >= 4 ? total / count / size : (middle - other.middle).length / size
    }
}

extension SIMD2<Double> {
    /// The Euclidean length.
    var length: Double {
        (x * x + y * y).squareRoot()
    }
}
