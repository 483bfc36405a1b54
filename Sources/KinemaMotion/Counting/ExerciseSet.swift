import Foundation

/// What is known of the set under way: how its repetitions look, how far they go and how long they take.
struct ExerciseSet {
    /// The last few repetitions, the newest first.
    private(set) var models: [Loop] = []
    /// The postures that repetitions begin and end in, and in which they turn.
    private(set) var rest: Posture, far: Posture
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
