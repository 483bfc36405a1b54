import Foundation
import KinemaCore

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
