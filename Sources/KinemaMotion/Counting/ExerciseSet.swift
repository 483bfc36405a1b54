import Foundation

/// What is known of the set under way: how its repetitions look, how far they go and how long they take.
struct ExerciseSet {
    /// The last few repetitions, the newest first.
    private(set) var models: [Loop] = []
    /// The posture that repetitions begin and end in.
    private(set) var rest: Posture
    /// The posture in which they turn.
    private(set) var far: Posture
    /// The shapes on the way from one to the other.
    private var way: [SIMD32<Float>]
    /// How far the way reaches, torso lengths.
    private var wayReach: Float
    /// How long a repetition takes, seconds.
    private(set) var duration: TimeInterval
    /// How far the last few reached, torso lengths.
    private var reaches: [Float] = []
    private var directness: Float
    /// How much the repetitions differ from each other.
    private var variation: Float

    /// The share of the typical way that must be gone, out and back, for a repetition to count.
    static let leastShare: Float = 0.45

    /// A set of which the given loops are known. Only the last two tell what is typical: before them may be something
    /// else that looked a little alike.
    init?(_ loops: [Loop]) {
        let loops = loops.suffix(2)
        let whole = loops.filter { !$0.isCutOff && !$0.isUnfinished }
        guard let first = loops.first, let model = whole.last ?? loops.last else { return nil }
        (rest, far, duration, directness) = (model.end, model.far, model.duration, model.directness)
        if model.isUnfinished { rest = model.start }
        (way, wayReach) = (model.way, model.amplitude)
        variation = loops.count > 1 ? first.unlikeness(to: model) : 0.15
        for loop in whole.isEmpty ? [model] : whole { add(loop) }
    }

    /// The median reach, torso lengths: a shallow one now and then does not change what is expected.
    var amplitude: Float { reaches.isEmpty ? 0 : reaches.sorted()[reaches.count / 2] }

    /// How far a loop may differ and still be one of the set: the more the set itself varies.
    var tolerance: Float { max(0.3, min(0.4, 0.15 + 2.5 * variation)) }

    /// How far a loop differs from the last ones of the set.
    func unlikeness(of loop: Loop) -> Float {
        models.isEmpty ? variation : models.reduce(.infinity) { min($0, loop.unlikeness(to: $1)) }
    }

    /// Whether a loop is a repetition of this set.
    func contains(_ loop: Loop) -> Bool {
        loop.isPossible && (loop.isAcrossCut || loop.directness > 0.6 * directness) && unlikeness(of: loop) < tolerance
            && loop.duration > 0.2 * duration && loop.duration < 3.5 * duration + 1
            || isNext(loop)
    }

    /// Whether a loop that looks a little different is a repetition because of when it comes: at once after the last
    /// one, about as long and as far and the same way. Of 212 rendered clips played forwards, backwards and at half the
    /// rate three more are counted right with this than without.
    private func isNext(_ loop: Loop) -> Bool {
        guard let last = models.first, loop.isPossible, !loop.isCutOff else { return false }
        return abs(loop.startTime - last.endTime) < 0.2 * duration
            && (0.67...1.5).contains(loop.duration / duration) && (0.67...1.5).contains(loop.amplitude / amplitude)
            && loop.alignment(with: last) > 0.7 && unlikeness(of: loop) < 1.3 * tolerance
    }

    /// Whether a loop soon after the last repetition leads the way of this set, but not far enough.
    func isShallow(_ loop: Loop) -> Bool {
        guard let last = models.first, loop.startTime - last.endTime < max(5, 2 * duration) else { return false }
        return abs(loop.alignment(with: last)) > 0.45 && loop.amplitude < 0.54 * amplitude
    }

    /// A loop with how sure it is that it is a repetition of this set.
    func assessed(_ loop: Loop) -> Loop {
        var loop = loop
        loop.confidence = max(0, min(1, 0.5 + 0.5 * loop.strength - min(1, unlikeness(of: loop)) / 2))
        return loop
    }

    /// Lets a repetition change what is typical.
    mutating func learn(_ loop: Loop) {
        variation += (min(0.3, unlikeness(of: loop)) - variation) * 0.3
        directness += (loop.directness - directness) * 0.3
        duration += (loop.duration - duration) * 0.3
        guard !loop.isCutOff, !loop.isUnfinished else { return }
        if models.isEmpty { (rest, far) = (loop.end, loop.far) }
        rest.blend(loop.end, share: 0.3)
        follow(loop)
        add(loop)
    }

    /// Lets the way come nearer to a repetition's, unless that was its mirror image or much deeper or less deep.
    private mutating func follow(_ loop: Loop) {
        let other = loop.way
        guard !models.isEmpty, other.count == way.count else {
            (way, wayReach) = (other, loop.amplitude)
            return
        }
        guard abs(loop.amplitude / wayReach - 1) < 0.2, models[0].isSameSide(as: loop) else {
            way[0] = rest.shape
            return
        }
        // Slowly, but if the view changed meanwhile at once.
        let share: Float = models[0].unlikeness(to: loop) > 0.25 ? 1 : 0.3
        for index in way.indices { way[index] += (other[index] - way[index]) * share }
        wayReach += (loop.amplitude - wayReach) * 0.3
    }

    /// Where postures are on the way.
    var phase: Phase {
        Phase(through: way, weight: far.weight, reach: wayReach > 0 ? amplitude / wayReach : 1)
    }

    /// The camera changed: how the repetitions look is not known any more.
    mutating func forgetView() {
        (models, reaches) = ([], [])
    }

    private mutating func add(_ loop: Loop) {
        reaches = reaches.suffix(4) + [loop.amplitude]
        models = [loop] + models.prefix(2)
    }
}

/// The one thing done in a short recording in which nothing is repeated.
///
/// A film of a single repetition is all rest but for one way out and back. That is told from everyday movement by how
/// much of all that moved it explains: who walks up, sits down, talks or picks something up moves in other ways too. On
/// the floor or a bench, where nobody does such things, less is asked for than of somebody upright.
struct LoneMovement {
    /// Longer recordings hold more than one thing to do; their lone repetitions must come out of rest (`SetFinder`).
    private static let longest: TimeInterval = 30

    private var postures: [Posture] = []
    /// The stretch before the last cut, of which nothing more comes.
    private var ended: [Posture] = []
    private var isTooLong = false

    /// Takes the next posture.
    mutating func remember(_ posture: Posture) {
        guard !isTooLong else { return }
        // Twenty postures a second show everything that a single movement is told by.
        if postures.count > 1, posture.time - postures[postures.count - 2].time < 0.045 { postures.removeLast() }
        postures.append(posture)
        if let first = postures.first, posture.time - first.time > Self.longest {
            (isTooLong, postures) = (true, [])
        }
    }

    /// The view changed: of both stretches the longer one is looked at, and it must be by far the longer one.
    mutating func endSegment() {
        if duration(of: postures) > duration(of: ended) { swap(&postures, &ended) }
        isTooLong = isTooLong || duration(of: postures) > 0.2 * duration(of: ended)
        postures = []
    }

    private func duration(of film: [Posture]) -> TimeInterval {
        (film.last?.time ?? 0) - (film.first?.time ?? 0)
    }

    /// The movement, if it was one way out and back and hardly anything else.
    func repetition(smoothing: Float) -> Loop? {
        let film = thinned(ended)
        guard !isTooLong, film.count > 8, let found = largestReturn(in: film) else { return nil }
        let loop = loop(found, in: film, smoothing: smoothing)
        guard loop.isPossible, loop.shift < max(0.35, 0.5 * loop.amplitude), staysInPlace(film, loop),
            loop.directness > Self.leastDirectness, loop.detour < 0.5
        else { return nil }
        let explained = way(of: found, in: film) / max(1e-6, path(film, step: step(of: loop)))
        guard explained > (isUpright(loop) ? Self.explainedUpright : Self.explainedLying) else { return nil }
        guard !isUpright(loop) || !isEveryday(loop, found, in: film) else { return nil }
        return loop
    }

    /// How much of all movement one way out and back must explain. Recorded push-ups, curls, raises and presses of one
    /// repetition reach 0.43 to 1, twenty rendered everyday scenes at most 0.52, and 0.43 without those that reach
    /// down. The limits were read off these, so nothing confirms them yet.
    private static let explainedLying: Float = 0.4
    private static let explainedUpright: Float = 0.5
    /// How direct the way must be, see `Loop.directness`.
    private static let leastDirectness: Float = 0.6

    /// At most 150 postures, evenly.
    private func thinned(_ postures: [Posture]) -> [Posture] {
        let step = max(1, (postures.count + 149) / 150)
        return stride(from: 0, to: postures.count, by: step).map { postures[$0] }
    }

    private typealias Return = (amplitude: Float, origin: Int, far: Int, end: Int)

    /// The way out and back that leads farthest; of equal ones the shortest, which begins and ends with no rest.
    private func largestReturn(in film: [Posture]) -> Return? {
        let distances = film.map { one in film.map { one.distance(to: $0) } }
        var best: Return?
        for origin in film.indices {
            for end in film.indices.dropFirst(origin + 2) {
                let far = (origin...end).max { one, other in
                    min(distances[one][origin], distances[one][end])
                        < min(distances[other][origin], distances[other][end])
                }
                guard let far else { continue }
                let amplitude = min(distances[far][origin], distances[far][end])
                guard amplitude > Self.leastAmplitude, distances[origin][end] < Self.mostResidual * amplitude else {
                    continue
                }
                if let best {
                    let isShorter = end - origin < best.end - best.origin
                    guard amplitude > 1.03 * best.amplitude || isShorter && amplitude > 0.97 * best.amplitude else {
                        continue
                    }
                }
                best = (amplitude, origin, far, end)
            }
        }
        return best
    }

    /// Torso lengths: half of what a shallow push-up shows, above the jitter of landmarks.
    private static let leastAmplitude: Float = 0.25
    /// A film cut to length often begins when the movement has begun.
    private static let mostResidual: Float = 0.4

    private func loop(_ found: Return, in film: [Posture], smoothing: Float) -> Loop {
        let (start, far, end) = (film[found.origin], film[found.far], film[found.end])
        let lag = TimeInterval(smoothing)
        return Loop(
            start: start, far: far, end: end, amplitude: found.amplitude,
            residual: start.distance(to: end) / found.amplitude, isCutOff: false, isComplete: true,
            phases: film.phases(from: found.origin, over: found.far, to: found.end), confidence: 0.5,
            directness: film.directness(from: found.origin, over: found.far, to: found.end),
            startTime: max(film[0].time, start.time - lag), endTime: end.time - lag)
    }

    private func step(of loop: Loop) -> TimeInterval { max(0.15, loop.duration / 16) }

    private func way(of found: Return, in film: [Posture]) -> Float {
        film[found.origin].distance(to: film[found.far]) + film[found.far].distance(to: film[found.end])
    }

    /// How far the posture went in all; steps leave jitter out.
    private func path(_ film: [Posture], step: TimeInterval) -> Float {
        var (length, before) = (Float(0), film[0])
        for posture in film.dropFirst() where posture.time - before.time >= step {
            length += posture.distance(to: before)
            before = posture
        }
        return length
    }

    /// Whether the body is about where it was all the time; a repetition itself may carry it up or down.
    private func staysInPlace(_ film: [Posture], _ loop: Loop) -> Bool {
        film.allSatisfy { posture in
            let way = abs(posture.centre.x - loop.start.centre.x)
            return way < max(1, 0.8 * loop.amplitude)
        }
    }

    private func isUpright(_ loop: Loop) -> Bool { uprightness(loop.start) > 0.7 }

    /// Whether the trunk leans more than 55 degrees: a squat's does not.
    private func isBent(_ posture: Posture) -> Bool { uprightness(posture) < 0.57 }

    /// The cosine of the trunk's angle against the vertical, as the camera sees it.
    private func uprightness(_ posture: Posture) -> Float {
        let (x, y) = (posture.shape[Channel.trunk], posture.shape[Channel.trunk + 1])
        return y / max(1e-6, (x * x + y * y).squareRoot())
    }

    /// Whether it is what people do when they pick something up, or sit down for a while and get up again.
    private func isEveryday(_ loop: Loop, _ found: Return, in film: [Posture]) -> Bool {
        // Who picks something up has it in the hand afterwards.
        if loop.reachesDown || loop.asymmetry > 0.25 || loop.leftover > 0.25 || isBent(loop.far) { return true }
        let lowered = abs(loop.far.shape[Channel.feet + 1] - loop.start.shape[Channel.feet + 1])
        let held = film[found.origin...found.end].filter { $0.distance(to: loop.far) < 0.2 * loop.amplitude }
        let hold = (held.last?.time ?? 0) - (held.first?.time ?? 0)
        return lowered > 0.3 && hold > 0.4 * loop.duration
    }
}
