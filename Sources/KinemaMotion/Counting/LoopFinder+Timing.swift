import Foundation

/// When a way out begins and a way back ends.
extension LoopFinder {
    /// When the way back ended or is about to end, nil while it is still under way.
    func arrival(from far: Int, to origin: Int) -> TimeInterval? {
        guard let now = history.last else { return nil }
        // Limbs move on arcs: the second half of the way shows where they are going at its end.
        let reach = history[far].distance(to: now)
        let middle = history.indices.last { $0 <= far || history[$0].distance(to: now) > 0.6 * reach } ?? far
        let axis = Axis(from: history[max(far, middle)], to: now)
        // Slow movement needs a longer look to tell its speed from jitter.
        let span = max(0.07, min(0.25, 0.1 * (now.time - history[far].time)))
        let speeds = speeds(along: axis, since: far, span: span)
        guard let speed = speeds.first?.value, let peak = speeds.max(by: { $0.value < $1.value }), peak.value > 0 else {
            return nil
        }
        // An eighth of the peak: half a sine wave is then within a fiftieth of its end.
        let slow = 0.12 * peak.value
        guard speed < slow else { return nil }
        let hasTurned = speed < -0.2 * peak.value || turn(after: far) != nil
        let isThere = axis.length - axis.position(of: history[origin]) > -0.06 * reach
        let hasStopped = speeds.prefix { now.time - $0.time < 0.15 }.allSatisfy { $0.value < slow }
        guard hasTurned || isThere || hasStopped else { return nil }
        // The part of the quarter wave since the peak that is still to come.
        let angle = asin(Double(max(0, speed / peak.value)))
        let left = (now.time - peak.time) * angle / (Double.pi / 2 - angle)
        return now.time - span / 2 - Double(smoothing) + left
    }

    /// Speeds along an axis, torso lengths a second, each over `span` seconds; the latest first.
    private func speeds(along axis: Axis, since far: Int, span: TimeInterval) -> [(value: Float, time: TimeInterval)] {
        let way = history[far...].map(axis.position(of:))
        var speeds: [(Float, TimeInterval)] = []
        var earlier = history.count - 1
        for index in stride(from: history.count - 1, to: far, by: -1) {
            while earlier > far, history[index].time - history[earlier].time < span { earlier -= 1 }
            let interval = Float(history[index].time - history[earlier].time)
            speeds.append(((way[index - far] - way[earlier - far]) / max(interval, 1e-3), history[index].time))
        }
        return speeds
    }

    /// When the movement left the origin for the far posture.
    ///
    /// A tenth and three tenths of the way are clear of jitter; half a sine wave through both gives the beginning.
    func departure(from origin: Int, to far: Int) -> TimeInterval {
        let length = history[far].distance(to: history[origin])
        var later = history[far].time
        var early: TimeInterval?
        for index in stride(from: far, through: origin, by: -1) {
            let distance = history[index].distance(to: history[origin])
            if distance > 0.3 * length { later = history[index].time }
            early = history[index].time
            if distance < 0.1 * length { break }
        }
        let crossing = early ?? history[origin].time
        // asin: the phases of a half wave at 0.1 and 0.3 of its height are 0.6435 and 1.1593.
        let begin = crossing - (later - crossing) * 0.6435 / (1.1593 - 0.6435) - Double(smoothing)
        return max(begin, baseTime ?? history[0].time)
    }
}
