import KinemaSampling
import Foundation
import KinemaCore

struct PersonTrack: Sendable {
    /// A person's last known state while nobody else was close; it identifies people after a crossing.
    struct ReferenceState: Sendable, Codable {
        var middle: SIMD2<Double>
        var size: Double
        /// Pixels per second.
        var velocity: SIMD2<Double>
        var time: TimeInterval
        var appearance: Appearance?
        /// The appearances in the last shots before this one: the same clothes look different from another side.
        var earlier: [Appearance] = []
        /// Whether a cut has followed, after which position and size may differ.
        var isBeforeCut = false
    }

    let id: Int
    var body: BodyLandmarks
    var reference: ReferenceState
    private(set) var motion: ObservedMotion
    private(set) var nextRegion: Region
    private var isCalm = false
    private var predictor = RegionPredictor()

    init(id: Int, body: BodyLandmarks, appearance: Appearance?, at time: TimeInterval) {
        (self.id, self.body) = (id, body)
        reference = ReferenceState(
            middle: body.middle, size: body.size, velocity: .zero, time: time, appearance: appearance)
        motion = ObservedMotion(body, at: time)
        nextRegion = predictor.region(after: body)
    }

    /// Takes the body of a person who is known again, after a cut with the appearance there.
    mutating func update(with body: BodyLandmarks, appearance: Appearance?, at time: TimeInterval) {
        if reference.isBeforeCut { reference.beginShot(with: appearance) }
        motion.observe(body, at: time)
        reference.isBeforeCut = false
        if !body.isHeld { isCalm = body.view != nil && body.distance(to: self.body) < PersonView.calmDistance }
        self.body = body
        nextRegion = predictor.region(after: body)
    }

    mutating func correct(with body: BodyLandmarks) {
        self.body = body
        predictor = RegionPredictor()
        nextRegion = predictor.region(after: body)
        (reference.middle, reference.size) = (body.middle, body.size)
    }

    /// The last view of a person who may be at rest; nil if an inference is needed.
    func restingView(at time: TimeInterval) -> PersonView? {
        isCalm ? body.view.flatMap { $0.isRecent(at: time) ? $0 : nil } : nil
    }

    /// The expected region of a lost person; motion is extrapolated for one second.
    func expectedRegion(at time: TimeInterval) -> Region {
        Region(
            center: reference.expectedPosition(at: time, extrapolating: 1), side: reference.size * 2.5,
            angle: nextRegion.angle)
    }

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
        swap(&predictor, &other.predictor)
        swap(&motion, &other.motion)
    }
}

extension PersonTrack.ReferenceState {
    private static let maximumChangeAfterCut = 0.7
    /// The weight of a change of place and size after a cut, and the most that it and the difference of clothes may add up
    /// to. In 16 recordings cut to another, different people have 0.67 and more; in the same ones cut to another view, and
    /// in five with cuts of their own, one person has at most 0.64.
    private static let (placeAfterCut, mostAfterCut) = (0.3, 0.65)
    /// The most earlier shots whose appearances are kept.
    private static let mostEarlier = 4

    /// The extra cost of a difference of appearance for each unit of log(seconds unseen), after the first second; costs
    /// of 1.6 are another person (`PersonTrackManager.maximumCost`).
    private static let absence = 1.5
    private static let unknownDifference = 0.3

    /// The person's expected position; motion is extrapolated for at most `limit` seconds.
    func expectedPosition(at time: TimeInterval, extrapolating limit: TimeInterval = 0.5) -> SIMD2<Double> {
        middle + velocity * min(max(0, time - self.time), limit)
    }

    /// Whether a body after a cut may be this person, by clothes and place: a cut may be to another view, or to someone else.
    func isKnownAgain(_ body: BodyExtent, appearance: Appearance?, at time: TimeInterval) -> Bool {
        let change = min(change(to: body, at: time), Self.maximumChangeAfterCut)
        return difference(from: appearance) + Self.placeAfterCut * change <= Self.mostAfterCut
    }

    /// Keeps the appearance of the shot that has ended beside that of the new one.
    mutating func beginShot(with appearance: Appearance?) {
        if let appearance, let old = self.appearance {
            earlier = (earlier + [old]).suffix(Self.mostEarlier)
            self.appearance = appearance
        }
        isBeforeCut = false
    }

    /// The difference of clothes from a body's; after a cut from those of any earlier shot.
    private func difference(from other: Appearance?) -> Double {
        let known = [appearance].compactMap(\.self) + (isBeforeCut ? earlier : [])
        let differences = known.compactMap { mine in
            other.flatMap { mine.difference(from: $0, inAnotherView: isBeforeCut) }
        }
        return differences.min().map(Double.init) ?? Self.unknownDifference
    }

    /// The cost of matching a body that has come into view with this person, who was lost for a while.
    func costOfReturn(of body: BodyExtent, appearance: Appearance?, at time: TimeInterval) -> Double {
        cost(of: body, appearance: appearance, at: time)
            + difference(from: appearance) * Self.absence * log(max(1, time - self.time))
    }

    /// The cost of matching a body with this person: 0 is a perfect match, about 1 is doubtful, more is someone else.
    func cost(of body: BodyExtent, appearance: Appearance?, at time: TimeInterval) -> Double {
        guard !isBeforeCut || isKnownAgain(body, appearance: appearance, at: time) else { return .infinity }
        let change = change(to: body, at: time)
        return (isBeforeCut ? min(change, Self.maximumChangeAfterCut) : change) + difference(from: appearance)
    }

    /// How far a body is from the expected place, in shares of the person's reach, and how much of another size.
    private func change(to body: BodyExtent, at time: TimeInterval) -> Double {
        let elapsed = max(0, time - self.time)
        // A person moves about two body sizes per second.
        let reach = max(size, body.size) * (0.5 + 2 * elapsed)
        let distance = (body.middle - expectedPosition(at: time)).length / max(reach, 1)
        return distance + 0.5 * abs(log(max(body.size, 1) / max(size, 1)))
    }
}

/// Where a person was seen and is expected next. The velocity is that between two observations some time apart, and a
/// person found after a gap has moved in a straight line, as in OC-SORT (Cao et al., "Observation-Centric SORT", 2023).
struct ObservedMotion: Sendable {
    private struct Observation {
        var time: TimeInterval
        var body: BodyLandmarks
    }

    /// The time between the observations that give the velocity, in seconds: shorter is jitter, longer misses a turn.
    private static let window: TimeInterval = 0.4
    /// The time in which a person's size shrinks, in seconds: a half-hidden person is no smaller.
    private static let shrinking: TimeInterval = 2

    private var observations: [Observation]
    /// Pixels per second; zero before there are two observations.
    private(set) var velocity = SIMD2<Double>()
    /// The size of the whole body in pixels.
    private(set) var scale: Double

    init(_ body: BodyLandmarks, at time: TimeInterval) {
        observations = [Observation(time: time, body: body)]
        scale = max(1, body.size)
    }

    var time: TimeInterval { observations.last?.time ?? 0 }

    mutating func observe(_ body: BodyLandmarks, at time: TimeInterval) {
        let elapsed = time - self.time
        guard elapsed > 0 else { return }
        scale += (max(1, body.size) - scale) * min(1, elapsed / (body.size < scale ? Self.shrinking : 0.2))
        observations.append(Observation(time: time, body: body))
        // One observation at least as old as the window stays.
        while observations.count > 2, time - observations[1].time >= Self.window { observations.removeFirst() }
        let first = observations[0]
        velocity = first.body.displacement(to: body) / (time - first.time)
    }

    /// The expected shift since the last sighting, in pixels; the movement decays.
    func shift(at time: TimeInterval, _ weights: PersonMatchWeights) -> SIMD2<Double> {
        velocity * weights.persistence * (1 - exp(-max(0, time - self.time) / weights.persistence))
    }
}

/// Predicts a body's next region from its two alignment points, smoothed as in MediaPipe.
struct RegionPredictor: Sendable {
    /// One Euro filter on pixels scaled by region size: min cutoff 0.01, beta 10, derivative cutoff 1 (MediaPipe).
    private var filters = [OneEuroFilter](
        repeating: OneEuroFilter(minimumCutoff: 0.01, beta: 10, derivativeCutoff: 1), count: 4)

    /// Time in steps of 1/30 s whatever the frame rate: MediaPipe's constants are tuned to these steps.
    private var time: TimeInterval = 0
    private static let step: TimeInterval = 1.0 / 30

    mutating func region(after body: BodyLandmarks) -> Region {
        time += Self.step
        let line = body.rim - body.middle
        let scale = 1 / max(1e-6, 2 * line.length)
        let raw = [body.middle.x, body.middle.y, body.rim.x, body.rim.y]
        let smooth = filters.indices.map { filters[$0].filter(raw[$0], at: time, scale: scale) }
        return Region(middle: SIMD2(smooth[0], smooth[1]), rim: SIMD2(smooth[2], smooth[3]))
    }
}
