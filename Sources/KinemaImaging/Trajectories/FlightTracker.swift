package import Foundation
package import KinemaCore

/// Links moving objects of single frames to flights, starting from three objects that move like a falling one.
package struct FlightTracker: Sendable {
    private struct Frame: Sendable {
        let number: Int
        let time: TimeInterval
        let evenTime: TimeInterval
        let objects: [MovingObject]
        let areResting: [Bool]

        func time(of flight: Flight) -> TimeInterval { flight.isEven ? evenTime : time }

        func point(_ index: Int) -> Flight.Point {
            Flight.Point(
                time: time, evenTime: evenTime, object: objects[index], key: Flight.Key(frame: number, index: index),
                isResting: areResting[index])
        }
    }

    /// The picture's height in picture widths; a flight ends where it leaves the picture.
    private let height: Double
    private var history: [Frame] = []
    var flights: [Flight] = []
    /// The flights that ended recently; their points belong to no other flight.
    var ended: [Flight] = []
    private var number = 0

    /// The minimum number of points of a reported flight.
    package static let minimumPoints = 5
    /// The length of the search for a flight's start, in seconds.
    private static let memory = 0.4
    /// The longest time that a flight continues without a detection, in seconds.
    private static let longestGap = 0.12
    /// The same for a hypothesis of fewer points than `minimumPoints`, in seconds.
    private static let longestHypothesisGap = 0.1
    /// The maximum speed in picture widths per second; a table tennis ball seen from the side reaches 4.5.
    private static let maximumSpeed = 8.0
    /// The minimum speed of a throw in radii per second: 0.5 m/s for a ball of 0.1 m.
    private static let minimumSpeed = 5.0
    /// The minimum time between the three points of a seed, in seconds; closer ones do not determine an acceleration.
    private static let seedSpacing = 0.025
    /// The minimum isolation of a seed's last object; limbs are rarely isolated.
    private static let minimumIsolation = 0.4
    /// Flights above this confidence do not share their points.
    private static let exclusiveConfidence = 0.5
    private static let maximumFlights = 64

    package init(aspectRatio: Double) { height = 1 / aspectRatio }

    /// Adds a frame's objects and returns its flights, highest confidence first; times are in increasing seconds.
    package mutating func append(
        _ objects: [MovingObject], at time: TimeInterval, evenTime: TimeInterval? = nil
    ) -> [Flight] {
        number += 1
        let frame = Frame(
            number: number, time: time, evenTime: evenTime ?? time, objects: objects,
            areResting: Self.areResting(objects, since: history.last))
        let taken = continueFlights(in: frame)
        history.append(frame)
        startFlights(in: frame, except: taken)
        flights = Self.distinct(rejoined(at: time))
        if let first = history.firstIndex(where: { $0.time >= time - Self.memory }) {
            history.removeFirst(max(0, first - 1))
        }
        for index in flights.indices where flights[index].points.count >= Self.minimumPoints {
            flights[index].markReported()
        }
        return flights.filter { $0.end == time && $0.isReported }.sorted { $0.confidence > $1.confidence }
    }

    /// Whether each object is where a similar one was in the frame before.
    private static func areResting(_ objects: [MovingObject], since last: Frame?) -> [Bool] {
        objects.map { object in
            last?.objects.contains {
                let offset = $0.steadyPosition - object.steadyPosition
                return (offset * offset).sum() < 0.25 * object.radius * object.radius && $0.resembles(object)
            } ?? false
        }
    }

    // MARK: - Continuing flights

    /// Continues the flights and returns the indices of the objects that belong to flights beyond the hypothesis stage.
    private mutating func continueFlights(in frame: Frame) -> Set<Int> {
        var taken: Set<Int> = []
        var continued: [Flight] = []
        for flight in flights.sorted(by: { $0.points.count > $1.points.count }) {
            var flight = flight
            if let index = Self.match(flight, in: frame, except: taken) {
                guard flight.add(frame.point(index)) else { continue }
                flight.trim()
                if flight.points.count > Self.minimumPoints { taken.insert(index) }
            } else {
                let isHypothesis = flight.points.count < Self.minimumPoints
                let gap = frame.time - flight.end
                guard
                    gap <= (isHypothesis ? Self.longestHypothesisGap : Self.longestGap)
                        || frame.number - flight.lastFrame <= 1,
                    isInPicture(flight.fit.position(at: frame.time(of: flight)), flight)
                else { continue }
            }
            continued.append(flight)
        }
        let ids = Set(continued.map(\.id))
        ended += flights.filter { !ids.contains($0.id) && $0.points.count >= Self.minimumPoints }
        ended.removeAll { frame.time - $0.end > Self.longestAbsence }
        flights = continued
        return taken
    }

    fileprivate func isInPicture(_ steady: SIMD2<Double>, _ flight: Flight) -> Bool {
        guard let last = flight.points.last?.object else { return false }
        let position = steady + last.position - last.steadyPosition
        return position.x > -last.radius && position.x < 1 + last.radius && position.y > -last.radius
            && position.y < height + last.radius
    }

    /// The index of the object at a flight's predicted position; nil if there is none.
    private static func match(_ flight: Flight, in frame: Frame, except taken: Set<Int> = []) -> Int? {
        let position = flight.fit.position(at: frame.time(of: flight))
        let deviation = flight.fit.deviation(at: frame.time(of: flight))
        var best: (index: Int, cost: Double)?
        for (index, object) in frame.objects.enumerated() where !taken.contains(index) {
            let offset = object.steadyPosition - position
            let squaredDistance = (offset * offset).sum()
            let variance = deviation * deviation + object.deviation * object.deviation
            // At most 3.5 standard deviations, and never far beyond the object's size.
            guard squaredDistance < 12.25 * variance + 0.01 * flight.radius * flight.radius,
                squaredDistance < 6.25 * flight.radius * flight.radius + 36 * object.deviation * object.deviation,
                flight.resembles(object)
            else { continue }
            // The radius distinguishes an object from its bright side, which is at the same position.
            let change = object.radius - flight.radius
            let cost = squaredDistance + change * change
            if cost < best?.cost ?? .infinity { best = (index, cost) }
        }
        return best?.index
    }

    // MARK: - Starting flights

    /// Starts hypotheses from three objects in spaced frames that move like a falling one.
    private mutating func startFlights(in frame: Frame, except taken: Set<Int>) {
        let spaced = spacedFrames(before: frame.time)
        guard spaced.count >= 2 else { return }
        // The object may be missing in one of the frames.
        let choices = [(0, 1), (0, 2), (1, 2)].filter { $0.1 < spaced.count }
        let owned = ownedKeys()
        for (index, object) in frame.objects.enumerated()
        where object.isolation >= Self.minimumIsolation && !taken.contains(index) {
            for (near, far) in choices {
                for middle in spaced[near].objects.indices where spaced[near].objects[middle].resembles(object) {
                    for isEven in frame.evenTime == frame.time ? [false] : [false, true] {
                        startFlights(
                            to: frame.point(index), through: spaced[near].point(middle), from: spaced[far],
                            isEven: isEven, except: owned)
                    }
                }
            }
        }
        if flights.count > Self.maximumFlights {
            flights = Array(flights.sorted { $0.quality > $1.quality }.prefix(Self.maximumFlights))
        }
    }

    /// Starts a hypothesis from each object of an earlier frame that falls through the other two points.
    private mutating func startFlights(
        to last: Flight.Point, through middle: Flight.Point, from earlier: Frame, isEven: Bool,
        except owned: Set<Flight.Key>
    ) {
        let after = isEven ? last.evenTime - middle.evenTime : last.time - middle.time
        let before = isEven ? middle.evenTime - earlier.evenTime : middle.time - earlier.time
        guard after > 0, before > 0 else { return }
        let velocity = (last.object.steadyPosition - middle.object.steadyPosition) / after
        let speed = velocity.length
        guard speed < Self.maximumSpeed, speed > Self.minimumSpeed * last.object.radius, !owned.contains(middle.key),
            !flights.contains(where: { $0.contains(last.key) && $0.contains(middle.key) })
        else { return }
        let straight = middle.object.steadyPosition - velocity * before
        for (index, object) in earlier.objects.enumerated() where object.resembles(middle.object) {
            let first = earlier.point(index)
            guard Self.falls(object.steadyPosition - straight, after: after, before: before, last.object, velocity),
                !owned.contains(first.key), let hypothesis = Flight([first, middle, last])
            else { continue }
            flights.append(extended(hypothesis, except: owned))
        }
    }

    /// The points of confident flights without their last ones, from which a bounce may start a new flight.
    private func ownedKeys() -> Set<Flight.Key> {
        var keys: Set<Flight.Key> = []
        for flight in flights + ended where flight.confidence > Self.exclusiveConfidence {
            keys.formUnion(flight.points.dropLast().map(\.key))
        }
        return keys
    }

    /// The last three frames at the spacing of a seed.
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

    /// Whether the first of three points deviates from the straight line through the others like a falling object's.
    private static func falls(
        _ offset: SIMD2<Double>, after: TimeInterval, before: TimeInterval, _ object: MovingObject,
        _ velocity: SIMD2<Double>
    ) -> Bool {
        // The points are at -before, 0 and after, so the first one's offset is the acceleration times this.
        let lever = before * (before + after) / 2
        let prior = Flight.prior(radius: object.radius)
        let noise = object.deviation * (1 + 2 * (before / after) + 2)
        // Motion towards or away from the camera appears as a horizontal acceleration.
        let sideways = abs(offset.x - prior.mean.x * lever) - 1.6 * abs(velocity.x) * lever
        let down = abs(offset.y - prior.mean.y * lever)
        return sideways < 2.5 * prior.deviation.x * lever + 3 * noise
            && down < 2.5 * prior.deviation.y * lever + 3 * noise
    }

    /// Extends a hypothesis with matching objects of earlier frames.
    private func extended(_ hypothesis: Flight, except owned: Set<Flight.Key>) -> Flight {
        var flight = hypothesis
        var misses = 0
        for frame in history.reversed() where !flight.points.contains(where: { $0.time == frame.time }) {
            guard let index = Self.match(flight, in: frame) else {
                if frame.time < flight.start { misses += 1 }
                // After two frames and 0.05 s without a match, the flight had not started.
                if misses >= 2, flight.start - frame.time > 0.05 { break }
                continue
            }
            misses = 0
            let point = frame.point(index)
            guard !owned.contains(point.key) else { break }
            guard flight.add(point) else { return hypothesis }
        }
        return flight
    }
}

// MARK: - Merging flights

extension FlightTracker {
    /// Flights of more points no longer gain an earlier part.
    private static let maximumPointsToRejoin = 12
    /// The longest occlusion that a flight survives, in seconds.
    private static let longestOcclusion = 0.5
    /// The longest time that a flight survives outside the picture, in seconds.
    fileprivate static let longestAbsence = 1.5

    /// The flights, each joined with its earlier part from before an occlusion.
    mutating func rejoined(at time: TimeInterval) -> [Flight] {
        flights.map { flight in
            guard flight.end == time, (Self.minimumPoints...Self.maximumPointsToRejoin).contains(flight.points.count)
            else { return flight }
            let earlier = (ended + flights).filter {
                $0.id != flight.id && $0.points.count >= Self.minimumPoints && $0.end <= flight.start
                    && $0.resembles(flight) && canContinue($0, until: flight.start)
            }
            for other in earlier.sorted(by: { $0.end > $1.end }) {
                guard let whole = other.joined(with: flight) else { continue }
                ended.removeAll { $0.id == other.id }
                return whole
            }
            return flight
        }
    }

    /// Whether a flight that ended may go on at a time: hidden for a moment, or outside the picture.
    private func canContinue(_ flight: Flight, until start: TimeInterval) -> Bool {
        if start - flight.end < Self.longestOcclusion { return true }
        return start - flight.end < Self.longestAbsence
            && !isInPicture(flight.fit.position(at: (flight.end + start) / 2), flight)
    }

    /// The best of each group of flights that share their last objects or move together.
    static func distinct(_ flights: [Flight]) -> [Flight] {
        var distinct: [Flight] = []
        for flight in flights.sorted(by: { $0.quality > $1.quality }) {
            let tail = flight.points.suffix(4).map(\.key)
            let same = distinct.firstIndex { other in
                tail.count { key in other.contains(key) } >= 2 || flight.isPart(of: other)
            }
            if let same {
                distinct[same].inheritID(of: flight)
            } else {
                distinct.append(flight)
            }
        }
        return distinct
    }
}
