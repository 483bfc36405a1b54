import Foundation

/// The one thing done in a short recording in which nothing is repeated.
///
/// In a recording of a single repetition, one movement out and back explains almost all motion. In everyday movement, such as
/// walking up, sitting down, talking or picking something up, it explains less. On the floor or a bench, where these are
/// rare, the required share is lower than for a person who stands.
struct SingleRepetitionDetector {
    /// Longer recordings hold more than one thing to do; their lone repetitions must come out of rest (`SetFinder`).
    private static let longest: TimeInterval = 30

    private var postures: [Posture] = []
    /// The stretch before the last cut, of which nothing more comes.
    private var ended: [Posture] = []
    private var isTooLong = false

    /// Takes the next posture.
    mutating func remember(_ posture: Posture) {
        guard !isTooLong else { return }
        // Twenty postures a second show everything that distinguishes a single movement.
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
