import Foundation
import KinemaMedia

/// The track of one person through the frames of a stream.
struct PersonTrack: Sendable {
    /// A person's last known state while nobody else was close.
    ///
    /// It identifies people when they separate again after a crossing.
    struct ReferenceState: Sendable {
        var middle: SIMD2<Double>
        var size: Double
        /// Pixels per second.
        var velocity: SIMD2<Double>
        var time: TimeInterval
        var appearance: Appearance?
        /// Whether a cut has followed, after which position and size may differ.
        var isBeforeCut = false
    }

    let id: Int
    var body: BodyLandmarks
    var reference: ReferenceState
    /// Where the person was seen, updated in every frame.
    private(set) var motion: ObservedMotion
    /// The region to search in the next frame.
    private(set) var nextRegion: Region
    private var displacement = SIMD2<Double>()
    /// Whether the joints hardly moved between the last two looks.
    private var isCalm = false
    private var predictor = RegionPredictor()

    init(id: Int, body: BodyLandmarks, appearance: Appearance?, at time: TimeInterval) {
        self.id = id
        self.body = body
        reference = ReferenceState(
            middle: body.middle, size: body.size, velocity: .zero, time: time, appearance: appearance)
        motion = ObservedMotion(body, at: time)
        nextRegion = predictor.region(after: body)
    }

    /// Updates the track with the body found in the next frame.
    mutating func update(with body: BodyLandmarks, at time: TimeInterval) {
        motion.observe(body, at: time)
        reference.isBeforeCut = false
        if !body.isHeld { isCalm = body.view != nil && body.distance(to: self.body) < PersonView.calmDistance }
        self.body = body
        let previous = nextRegion.center
        nextRegion = predictor.region(after: body)
        displacement = nextRegion.center - previous
    }

    /// Replaces the body of the current frame with a better reading.
    mutating func correct(with body: BodyLandmarks) {
        self.body = body
        predictor = RegionPredictor()
        nextRegion = predictor.region(after: body)
        (reference.middle, reference.size) = (body.middle, body.size)
    }

    /// What was last seen of a person who may be at rest and whose landmarks may stand; nil to look in any case.
    func restingView(at time: TimeInterval) -> PersonView? {
        isCalm ? body.view.flatMap { $0.isRecent(at: time) ? $0 : nil } : nil
    }

    /// The region to search in the next frame (`ahead` 0) or, by extrapolation, in a later one.
    func region(ahead: Int) -> Region {
        var region = nextRegion
        region.center += displacement * Double(ahead)
        return region
    }

    /// The expected region of a lost person; motion is extrapolated for one second.
    func expectedRegion(at time: TimeInterval) -> Region {
        Region(
            center: reference.expectedPosition(at: time, extrapolating: 1), side: reference.size * 2.5,
            angle: nextRegion.angle)
    }

    /// Updates the reference state from a frame in which nobody else is close.
    mutating func updateReference(appearance: Appearance?, at time: TimeInterval) {
        let elapsed = time - reference.time
        guard elapsed > 0 else { return }
        // The velocity is averaged over about 0.2 s: shorter is jitter, longer misses a turn.
        let share = min(1, elapsed / 0.2)
        let velocity = (body.middle - reference.middle) / elapsed
        reference.velocity += (velocity - reference.velocity) * share
        reference.size += (body.size - reference.size) * share
        reference.middle = body.middle
        reference.time = time
        reference.isBeforeCut = false
        updateAppearance(appearance, after: elapsed)
    }

    /// Blends a newer appearance into the reference state; it takes half a second to replace the old one.
    mutating func updateAppearance(_ appearance: Appearance?, after elapsed: TimeInterval) {
        guard let appearance else { return }
        if reference.appearance == nil { reference.appearance = appearance }
        reference.appearance?.blend(with: appearance, share: Float(min(1, elapsed / 0.5)))
    }

    /// Exchanges bodies and regions with a track that follows the wrong person; numbers and reference states stay.
    mutating func exchangeBody(with other: inout PersonTrack) {
        swap(&body, &other.body)
        swap(&nextRegion, &other.nextRegion)
        swap(&displacement, &other.displacement)
        swap(&predictor, &other.predictor)
        swap(&motion, &other.motion)
    }
}

extension PersonTrack.ReferenceState {
    /// The maximum cost of position and size after a cut, where only appearance identifies a person.
    private static let maximumChangeAfterCut = 0.7

    /// What a difference of appearance costs more for each unit of log(seconds unseen), after the first second.
    ///
    /// It is added to costs of which 1.6 is somebody else (`PersonTrackManager.maximumCost`), in which appearance already
    /// counts in proportion. `PersonMatchWeights.absence` is a share of another sum, with another limit.
    private static let absence = 1.5
    /// The difference of appearance where it is unknown.
    private static let unknownDifference = 0.3

    /// The person's expected position; motion is extrapolated for at most `limit` seconds.
    func expectedPosition(at time: TimeInterval, extrapolating limit: TimeInterval = 0.5) -> SIMD2<Double> {
        middle + velocity * min(max(0, time - self.time), limit)
    }

    /// The cost of taking a body that has come into view for this person, whom nobody has seen for a while.
    func costOfReturn(of body: BodyLandmarks, appearance: Appearance?, at time: TimeInterval) -> Double {
        let difference = appearance.flatMap { self.appearance?.difference(from: $0) }.map(Double.init)
        return cost(of: body, appearance: appearance, at: time)
            + (difference ?? Self.unknownDifference) * Self.absence * log(max(1, time - self.time))
    }

    /// The cost of matching a body with this person: 0 is a perfect match, about 1 is doubtful, more is someone else.
    ///
    /// The distance is measured relative to how far the person can have moved. Appearance weighs about as much.
    func cost(of body: BodyLandmarks, appearance: Appearance?, at time: TimeInterval) -> Double {
        let elapsed = max(0, time - self.time)
        // A person moves about two body sizes per second.
        let reach = max(size, body.size) * (0.5 + 2 * elapsed)
        let distance = (body.middle - expectedPosition(at: time)).length / max(reach, 1)
        let growth = abs(log(max(body.size, 1) / max(size, 1)))
        let difference = appearance.flatMap { self.appearance?.difference(from: $0) }.map(Double.init)
        let change = distance + 0.5 * growth
        return (isBeforeCut ? min(change, Self.maximumChangeAfterCut) : change)
            + (difference ?? Self.unknownDifference)
    }
}

extension BodyLandmarks {
    /// About half the person's height in pixels: the distance from the hip centre to the rim of the body's circle.
    var size: Double {
        (rim - middle).length
    }

    /// The same landmarks in a later frame, in which nothing has moved.
    var held: BodyLandmarks {
        var body = self
        body.isHeld = true
        return body
    }

    /// The angle between the two bodies' directions from hips to rim, 0 to pi.
    func rotation(to other: BodyLandmarks) -> Double {
        let (mine, theirs) = (rim - middle, other.rim - other.middle)
        let cross = mine.x * theirs.y - mine.y * theirs.x
        return abs(atan2(cross, (mine * theirs).sum()))
    }

    /// The share of the smaller joint bounding box that lies within the larger one, 0...1.
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

    /// The mean distance between the visible joints of two bodies, in body sizes.
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

/// A person's appearance: the mean colours of torso and legs, which identify people after they have crossed.
struct Appearance: Sendable {
    /// Luma and two colour differences (levels of 255) of upper torso, lower torso, thighs and shins; nil if hidden.
    private(set) var parts: [SIMD3<Float>?]

    /// The lines along which a part's colours are sampled, between BlazePose point indices.
    private static let lines: [[(Int, Int)]] = [
        [(11, 12)], [(23, 24)], [(23, 25), (24, 26)], [(25, 27), (26, 28)],
    ]

    /// No colours are sampled at joints below this confidence.
    private static let minimumConfidence: Float = 0.5

    /// Makes an appearance from the colours of its parts.
    init(parts: [SIMD3<Float>?]) {
        self.parts = parts
    }

    /// Samples the colours at a person's landmarks.
    init(of body: BodyLandmarks, in frame: VideoFrame) {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let groups = Self.lines.indices.map { Self.samples(of: $0, body).filter { Self.inside($0, size) } }
        let colours = RegionSampler.colours(of: frame, at: groups.flatMap { $0 })
        var start = 0
        parts = groups.map { group in
            defer { start += group.count }
            guard group.count >= 4 else { return nil }
            let sum = colours[start..<(start + group.count)].reduce(SIMD3<Float>(), +)
            return Self.lumaChroma(sum / Float(group.count))
        }
    }

    /// The difference of two appearances: 0 is the same, 1 is clearly different; nil without a common visible part.
    func difference(from other: Appearance) -> Float? {
        var total: Float = 0
        var count: Float = 0
        for case (let mine?, let theirs?) in zip(parts, other.parts) {
            // Light changes more than colour, so luma has half the weight.
            let delta = (mine - theirs) * SIMD3(0.5, 1, 1)
            total += (delta * delta).sum().squareRoot()
            count += 1
        }
        // Clothes of different colours differ by 40 levels in daylight footage.
        return count > 0 ? min(1, total / count / 40) : nil
    }

    /// Moves towards a newer appearance by a share of 0...1.
    mutating func blend(with newer: Appearance, share: Float) {
        for index in parts.indices {
            guard let new = newer.parts[index] else { continue }
            parts[index] = parts[index].map { $0 + (new - $0) * share } ?? new
        }
    }

    private static func samples(of part: Int, _ body: BodyLandmarks) -> [SIMD2<Double>] {
        if part < 2 {
            // Two rows across the torso, at 15% and 35% of the distance to its other end.
            guard [11, 12, 23, 24].allSatisfy({ body.confidence($0) >= minimumConfidence }) else { return [] }
            let (left, right) = part == 0 ? (11, 12) : (23, 24)
            let (farLeft, farRight) = part == 0 ? (23, 24) : (11, 12)
            return [0.15, 0.35].flatMap { depth in
                let a = body.points[left] + (body.points[farLeft] - body.points[left]) * depth
                let b = body.points[right] + (body.points[farRight] - body.points[right]) * depth
                return stride(from: 0.2, through: 0.8, by: 0.15).map { a + (b - a) * $0 }
            }
        }
        return lines[part].flatMap { from, to -> [SIMD2<Double>] in
            guard body.confidence(from) >= minimumConfidence, body.confidence(to) >= minimumConfidence else {
                return []
            }
            return stride(from: 0.25, through: 0.85, by: 0.1).map {
                body.points[from] + (body.points[to] - body.points[from]) * $0
            }
        }
    }

    private static func inside(_ point: SIMD2<Double>, _ size: SIMD2<Double>) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x < size.x && point.y < size.y
    }

    /// Luma, blue minus luma, red minus luma (ITU-R BT.601 weights).
    private static func lumaChroma(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
        let luma = 0.299 * rgb.x + 0.587 * rgb.y + 0.114 * rgb.z
        return SIMD3(luma, rgb.z - luma, rgb.x - luma)
    }
}
