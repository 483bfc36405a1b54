package import Foundation
package import KinemaCore

/// Links what moves in single frames to flights: from three places that fall as things fall, backward and forward.
package struct FlightTracker: Sendable {
    /// What one frame showed.
    private struct Frame: Sendable {
        let number: Int
        let time: TimeInterval
        let objects: [MovingObject]
    }

    /// The picture's height in widths: what leaves it has ended.
    private let height: Double
    private var history: [Frame] = []
    var flights: [Flight] = []
    /// Flights that ended a moment ago; what belongs to them is nobody else's.
    var ended: [Flight] = []
    private var number = 0

    /// A flight has at least that many points before it is told.
    package static let minimumPoints = 5
    /// How far back a flight's beginning is looked for, seconds.
    private static let memory = 0.4
    /// What is not seen for longer has ended or is another one, seconds.
    private static let longestGap = 0.12
    /// A guess of fewer points is given up after that, seconds.
    private static let shortestGap = 0.1
    /// Nothing crosses the picture in less than a quarter of a second: widths a second.
    private static let fastest = 4.0
    /// What moves less than that many radii a second is not thrown: 0.5 m/s for a ball of 0.1 m.
    private static let slowest = 5.0
    /// The times between the places a guess starts from, seconds: nearer ones say nothing about acceleration.
    private static let seedSpacing = 0.025
    /// A guess ends in something with at least that share of rest around it: limbs are seldom by themselves.
    private static let leastIsolation = 0.4
    /// A flight of more confidence does not share its points.
    private static let sure = 0.5
    /// More guesses than that are not kept.
    private static let maximumGuesses = 64

    /// Makes a tracker for pictures of an aspect ratio (width / height).
    package init(aspectRatio: Double) {
        height = 1 / aspectRatio
    }

    /// Forgets everything: what follows has nothing to do with what was before.
    package mutating func reset() {
        history = []
        flights = []
        ended = []
    }

    /// Takes what a frame shows; the flights that are seen in it, the surest first.
    ///
    /// Times are seconds and increase.
    package mutating func append(_ objects: [MovingObject], at time: TimeInterval) -> [Flight] {
        number += 1
        let frame = Frame(number: number, time: time, objects: objects)
        let taken = follow(in: frame)
        history.append(frame)
        seed(in: frame, taken: taken)
        flights = Self.distinct(rejoined(at: time))
        if let first = history.firstIndex(where: { $0.time >= time - Self.memory }) {
            history.removeFirst(max(0, first - 1))
        }
        for index in flights.indices where flights[index].points.count >= Self.minimumPoints {
            flights[index].tell()
        }
        return flights.filter { $0.end == time && $0.isTold }.sorted { $0.confidence > $1.confidence }
    }

    // MARK: - Following

    /// Continues the flights; which objects now belong to one that is more than a guess.
    private mutating func follow(in frame: Frame) -> Set<Int> {
        var taken: Set<Int> = []
        var kept: [Flight] = []
        for flight in flights.sorted(by: { $0.points.count > $1.points.count }) {
            var flight = flight
            if let index = Self.match(flight, in: frame, except: taken) {
                let point = Flight.Point(
                    time: frame.time, object: frame.objects[index],
                    key: Flight.Key(frame: frame.number, index: index))
                guard flight.add(point) else { continue }
                flight.trim()
                if flight.points.count > Self.minimumPoints { taken.insert(index) }
            } else {
                let isGuess = flight.points.count < Self.minimumPoints
                let gap = frame.time - flight.end
                guard
                    gap <= (isGuess ? Self.shortestGap : Self.longestGap)
                        || frame.number - flight.lastFrame <= 1,
                    isInPicture(flight.fit.position(at: frame.time), flight)
                else { continue }
            }
            kept.append(flight)
        }
        let alive = Set(kept.map(\.id))
        ended += flights.filter { !alive.contains($0.id) && $0.points.count >= Self.minimumPoints }
        ended.removeAll { frame.time - $0.end > 2 * Self.memory }
        flights = kept
        return taken
    }

    private func isInPicture(_ steady: SIMD2<Double>, _ flight: Flight) -> Bool {
        guard let last = flight.points.last?.object else { return false }
        let place = steady + last.position - last.steadyPosition
        return place.x > -last.radius && place.x < 1 + last.radius && place.y > -last.radius
            && place.y < height + last.radius
    }

    /// The object that lies where the flight leads; nil when none does.
    private static func match(_ flight: Flight, in frame: Frame, except taken: Set<Int> = []) -> Int? {
        let place = flight.fit.position(at: frame.time)
        let spread = flight.fit.deviation(at: frame.time)
        var best: (index: Int, strangeness: Double)?
        for (index, object) in frame.objects.enumerated() where !taken.contains(index) {
            let way = object.steadyPosition - place
            let distance = (way * way).sum()
            let variance = spread * spread + object.deviation * object.deviation
            // Three and a half deviations, and never more than a length: something else may be there.
            guard distance < 12.25 * variance + 0.01 * flight.radius * flight.radius,
                distance < 6.25 * flight.radius * flight.radius + 36 * object.deviation * object.deviation,
                flight.resembles(object)
            else { continue }
            // Of a thing and its bright side, both of which lie there, the one that is as large as it was before.
            let change = object.radius - flight.radius
            let strangeness = distance + change * change
            if strangeness < best?.strangeness ?? .infinity { best = (index, strangeness) }
        }
        return best?.index
    }

    // MARK: - Guessing

    /// Looks for three places in a row that fall.
    private mutating func seed(in frame: Frame, taken: Set<Int>) {
        let spaced = spacedFrames(before: frame.time)
        guard spaced.count >= 2 else { return }
        // One of them may have been missed.
        let choices = [(0, 1), (0, 2), (1, 2)].filter { $0.1 < spaced.count }
        let owned = ownedKeys()
        for (index, object) in frame.objects.enumerated()
        where object.isolation >= Self.leastIsolation && !taken.contains(index) {
            let key = Flight.Key(frame: frame.number, index: index)
            for (near, far) in choices {
                let (middle, first) = (spaced[near], spaced[far])
                for (middleIndex, middleObject) in middle.objects.enumerated()
                where middleObject.resembles(object) {
                    let span = frame.time - middle.time
                    let velocity = (object.steadyPosition - middleObject.steadyPosition) / span
                    let speed = (velocity * velocity).sum().squareRoot()
                    guard speed < Self.fastest, speed > Self.slowest * object.radius else { continue }
                    let middleKey = Flight.Key(frame: middle.number, index: middleIndex)
                    if owned.contains(middleKey)
                        || flights.contains(where: { $0.holds(key) && $0.holds(middleKey) })
                    {
                        continue
                    }
                    let before = middleObject.steadyPosition - velocity * (middle.time - first.time)
                    for (firstIndex, firstObject) in first.objects.enumerated()
                    where firstObject.resembles(middleObject)
                        && Self.falls(
                            off: firstObject.steadyPosition - before, span, middle.time - first.time, object,
                            velocity)
                        && !owned.contains(Flight.Key(frame: first.number, index: firstIndex))
                    {
                        let points = [
                            Flight.Point(
                                time: first.time, object: firstObject,
                                key: Flight.Key(frame: first.number, index: firstIndex)),
                            Flight.Point(time: middle.time, object: middleObject, key: middleKey),
                            Flight.Point(time: frame.time, object: object, key: key),
                        ]
                        guard let guess = Flight(points) else { continue }
                        flights.append(extended(guess, except: owned))
                    }
                }
            }
        }
        if flights.count > Self.maximumGuesses {
            flights = Array(flights.sorted { $0.worth > $1.worth }.prefix(Self.maximumGuesses))
        }
    }

    /// The points of sure flights but for each one's last, from which a bounced thing goes on.
    private func ownedKeys() -> Set<Flight.Key> {
        var keys: Set<Flight.Key> = []
        for flight in flights + ended where flight.confidence > Self.sure {
            keys.formUnion(flight.points.dropLast().map(\.key))
        }
        return keys
    }

    /// The last three frames that lie far enough apart.
    private func spacedFrames(before time: TimeInterval) -> [Frame] {
        var found: [Frame] = []
        var limit = time - Self.seedSpacing
        for frame in history.reversed().dropFirst() where frame.time <= limit + 1e-9 {
            found.append(frame)
            limit = frame.time - Self.seedSpacing
            if found.count == 3 { break }
        }
        return found
    }

    /// Whether a place that far off the straight line is one of a falling thing, as well as can be known.
    private static func falls(
        off: SIMD2<Double>, _ after: TimeInterval, _ before: TimeInterval, _ object: MovingObject,
        _ velocity: SIMD2<Double>
    ) -> Bool {
        // Places at -before, 0 and after: the first is off the straight line by half the acceleration times this.
        let lever = before * (before + after) / 2
        let prior = Flight.prior(radius: object.radius)
        let noise = object.deviation * (1 + 2 * (before / after) + 2)
        // Towards the camera, or away from it, things seem to speed up or slow down.
        let sideways = abs(off.x - prior.mean.x * lever) - 1.6 * abs(velocity.x) * lever
        let down = abs(off.y - prior.mean.y * lever)
        return sideways < 2.5 * prior.deviation.x * lever + 3 * noise
            && down < 2.5 * prior.deviation.y * lever + 3 * noise
    }

    /// A guess with what lies on it in earlier frames.
    private func extended(_ guess: Flight, except owned: Set<Flight.Key>) -> Flight {
        var flight = guess
        var misses = 0
        for frame in history.reversed() where !flight.points.contains(where: { $0.time == frame.time }) {
            guard let index = Self.match(flight, in: frame) else {
                if frame.time < flight.start { misses += 1 }
                // Two frames without it, and a twentieth of a second: it was not yet flying.
                if misses >= 2, flight.start - frame.time > 0.05 { break }
                continue
            }
            misses = 0
            let key = Flight.Key(frame: frame.number, index: index)
            guard !owned.contains(key) else { break }
            guard flight.add(Flight.Point(time: frame.time, object: frame.objects[index], key: key))
            else {
                return guess
            }
        }
        return flight
    }
}

/// Which flights are one thing: seen in pieces, or before and behind somebody.
extension FlightTracker {
    /// A flight of more points that has no earlier part will get none.
    private static let youth = 12
    /// Somebody who stands before a thing's path hides it no longer, seconds.
    private static let longestHiding = 0.5

    /// The flights, each together with what was seen of it before it was hidden for a while.
    mutating func rejoined(at time: TimeInterval) -> [Flight] {
        flights.map { flight in
            // Only once it is sure of itself, and anew while it is young: later nothing changes any more.
            guard flight.end == time, (Self.minimumPoints...Self.youth).contains(flight.points.count)
            else {
                return flight
            }
            let earlier = (ended + flights).filter {
                $0.id != flight.id && $0.points.count >= Self.minimumPoints && $0.end <= flight.start
                    && flight.start - $0.end < Self.longestHiding && $0.resembles(flight)
            }
            for other in earlier.sorted(by: { $0.end > $1.end }) {
                guard let whole = other.joined(with: flight) else { continue }
                ended.removeAll { $0.id == other.id }
                return whole
            }
            return flight
        }
    }

    /// Of flights that share their last objects, or go along with each other, the best.
    static func distinct(_ flights: [Flight]) -> [Flight] {
        var kept: [Flight] = []
        for flight in flights.sorted(by: { $0.worth > $1.worth }) {
            let tail = flight.points.suffix(4).map(\.key)
            let same = kept.firstIndex { other in
                tail.count { key in other.holds(key) } >= 2 || flight.isPart(of: other)
            }
            if let same {
                kept[same].takeName(of: flight)
            } else {
                kept.append(flight)
            }
        }
        return kept
    }
}

extension Flight {
    /// The frame it was last seen in.
    var lastFrame: Int { points.last?.key.frame ?? 0 }

    /// How much speaks for a guess: points, less what they are off.
    var worth: Double { Double(points.count) / (1 + fit.residual / max(0.25 * radius, 1e-9)) }

    /// Whether it goes along with another thing so near that they touch: two pieces of one.
    func isPart(of other: Flight) -> Bool {
        let from = max(start, other.start)
        guard end - from > 0.05, other.end >= from else { return false }
        let reach = 1.6 * (radius + other.radius)
        return [from, (from + end) / 2, end].allSatisfy { time in
            let off = fit.position(at: time) - other.fit.position(at: time)
            return (off * off).sum() < reach * reach
        }
    }

    func resembles(_ other: Flight) -> Bool {
        guard let last = points.last?.object, let first = other.points.first?.object else {
            return false
        }
        return last.resembles(first)
    }

    func holds(_ key: Key) -> Bool {
        // Keys come in order of time; it is among the last, if at all.
        for point in points.reversed() {
            if point.key.frame < key.frame { return false }
            if point.key == key { return true }
        }
        return false
    }

    func resembles(_ object: MovingObject) -> Bool {
        points.last?.object.resembles(object) ?? false
    }
}

extension MovingObject {
    /// Whether both may be the same thing a moment later.
    func resembles(_ other: MovingObject) -> Bool {
        let slack = 2 * max(deviation, other.deviation)
        return radius < 2 * other.radius + slack && other.radius < 2 * radius + slack
    }
}
