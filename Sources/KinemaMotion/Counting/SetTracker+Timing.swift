import Foundation

/// When a way out began and a way back ended.
extension SetTracker {
    /// From this place on the body is about where repetitions end.
    private static let near: Float = 0.12

    /// Where the way out begins, an index of the trail.
    ///
    /// Who walked about before was a little lower at times: what counts is where the body was at last. Lower than where
    /// repetitions begin is where something else was done.
    var beginning: Int {
        let leave = (low...top).last { places[$0] <= max(places[low], -Self.slack) + Self.near } ?? low
        let since = trail[leave].time - 0.5 * set.duration
        let lowest = (low...leave).filter { trail[$0].time >= since }.min { places[$0] < places[$1] } ?? leave
        return (lowest...leave).first { places[$0] >= -Self.slack } ?? leave
    }

    /// A raised cosine passes the middle of its way and then `near`; from there it needs this share of the time between.
    ///
    /// acos(1 - 2 * 0.12) / (acos(0) - acos(1 - 2 * 0.12)) = 0.7075 / 0.8633
    private static let remainder = 0.82

    /// When the way back ended or is about to end; nil while it is under way.
    func arrival() -> TimeInterval? {
        let now = trail.count - 1
        if places[now] - places[bottom] > 0.08 { return turningTime() }
        let expected = crossing(Self.near, after: top).map { near in
            let middle = crossing(0.5, after: top) ?? trail[top].time
            return near + (near - middle) * Self.remainder
        }
        if let expected, trail[now].time > expected { return min(expected, trail[bottom].time) }
        guard hasStopped else { return nil }
        return min(trail[bottom].time, expected ?? trail[bottom].time)
    }

    /// When a movement that has set out anew turned: half-way between the moments it passed the same place.
    private func turningTime() -> TimeInterval {
        let level = places[bottom] + 0.08
        let down = crossing(level, after: top) ?? trail[bottom].time
        return (down + (trail.last?.time ?? down)) / 2 - smoothing / 2
    }

    /// Whether the body stands still after the way back.
    private var hasStopped: Bool {
        guard let now = trail.last, let before = trail.lastIndex(where: { now.time - $0.time >= 0.2 }), before > top
        else { return false }
        let speed = (places[before] - places[places.count - 1]) / Float(now.time - trail[before].time)
        let mean = (places[top] - places[bottom]) / Float(max(0.05, trail[bottom].time - trail[top].time))
        return speed < 0.15 * mean
    }

    /// When the way back passed a place for the last time, between two postures.
    private func crossing(_ level: Float, after first: Int) -> TimeInterval? {
        guard let index = (first..<bottom).last(where: { places[$0] > level }), places[index + 1] <= level else {
            return nil
        }
        let share = (places[index] - level) / max(1e-6, places[index] - places[index + 1])
        return trail[index].time + Double(share) * (trail[index + 1].time - trail[index].time)
    }

    /// When the way out began.
    func departure() -> TimeInterval {
        let begin = max(places[beginning], -Self.slack)
        let near = (low...top).last { places[$0] <= begin + Self.near } ?? low
        let middle = (near...top).first { places[$0] >= begin + 0.5 } ?? top
        let expected = trail[near].time - (trail[middle].time - trail[near].time) * Self.remainder - smoothing
        // Not everybody sets out as a cosine does, but at 0.02 all but a twentieth of the way out's time is to come.
        let last = (low...near).last { places[$0] <= begin + 0.02 } ?? low
        let latest = trail[last].time - 0.12 * (trail[top].time - trail[last].time) - smoothing
        return max(expected, latest, trail[0].time, lastEnd)
    }
}
