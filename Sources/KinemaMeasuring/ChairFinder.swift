import Foundation
import KinemaCore

/// Finds when a person stands up from a chair and sits down, by the height of the hips.
struct ChairFinder {
    /// Shares of body height: with hips lower than the first a person sits (a seat of 0.45 m), higher than the second
    /// stands (0.53 upright).
    static let seat = 0.40
    static let stand = 0.45
    /// The share of the way between sitting and standing within which the hips still count as on the seat, or as
    /// standing.
    private static let margin = 0.1
    /// The share of a rise's greatest speed of the neck below which the person rests.
    private static let rest = 0.1
    /// The longest time that the trunk moves before the hips leave the seat, or after they arrive, in seconds.
    private static let reach = 1.5

    /// The most that the hips of a sitting person are above the knees, as a share of body height: half a thigh.
    private static let highest = 0.12

    /// Rises as indices: the trunk's first movement, standing at rest, and sitting at rest again if seen.
    private(set) var rises: [(start: Int, stand: Int, sit: Int?)] = []
    private(set) var startsSeated = false
    private let track: MeasuredTrack

    /// Searches a filtered track in metres; `height` is the person's in metres.
    init(_ track: MeasuredTrack, height: Double) {
        self.track = track
        guard let root = track.paths[.root]?.y else { return }
        let known = root.indices.filter { root[$0].isFinite }
        let heights = known.map { root[$0] }
        guard let low = heights.quantile(0.05), let high = heights.quantile(0.95), low < Self.seat * height,
            high > Self.stand * height
        else { return }
        let (leave, arrive) = (low + Self.margin * (high - low), high - Self.margin * (high - low))
        let thighs = known.filter { root[$0] <= leave }.flatMap { index in
            [JointKey.leftKnee, .rightKnee].compactMap { track.position($0, index).map { root[index] - $0.y } }
        }
        guard !thighs.isEmpty, thighs.median < Self.highest * height else { return }
        startsSeated = heights[0] < Self.seat * height
        var marks: [(leave: Int, arrive: Int, sit: Int?)] = []
        var left: Int?
        for (before, after) in zip(known, known.dropFirst()) {
            let (from, to) = (root[before], root[after])
            if from <= leave, to > leave { left = after }
            if from < arrive, to >= arrive, let seat = left {
                marks.append((seat, after, nil))
                left = nil
            }
            if from > leave, to <= leave, let last = marks.indices.last, marks[last].sit == nil {
                marks[last].sit = after
            }
        }
        for (index, mark) in marks.enumerated() {
            let seated = index > 0 ? marks[index - 1].sit ?? marks[index - 1].arrive : known[0]
            let next = index + 1 < marks.count ? marks[index + 1].leave : known[known.count - 1]
            let sink = mark.sit.map { sit in (mark.arrive..<sit).last { root[$0] >= arrive } ?? mark.arrive }
            rises.append(
                (
                    rest(from: mark.leave, to: seated, moving: mark.leave...mark.arrive),
                    rest(from: mark.arrive, to: sink ?? next, moving: mark.leave...mark.arrive),
                    mark.sit.map { rest(from: $0, to: next, moving: (sink ?? mark.arrive)...$0) }
                ))
        }
    }

    /// The first index between two at which the neck rests, relative to its peak speed in a movement, or else is
    /// slowest.
    private func rest(from first: Int, to end: Int, moving: ClosedRange<Int>) -> Int {
        guard let path = track.paths[.neck] ?? track.paths[.root] else { return first }
        func speed(_ index: Int) -> Double {
            let (low, high) = (max(index - 1, 0), min(index + 1, track.count - 1))
            guard let from = path[low], let to = path[high] else { return .infinity }
            return simd_distance(from, to) / Double(high - low)
        }
        let peak = moving.map(speed).filter(\.isFinite).max() ?? 0
        let way = min(abs(end - first), Int(Self.reach * track.rate))
        let indices = (0...way).map { end < first ? first - $0 : first + $0 }
        return indices.first { speed($0) <= Self.rest * peak } ?? indices.min { speed($0) < speed($1) } ?? first
    }

    var events: [MeasureEvent] {
        let hips = LimbJoints.both.map(\.hip)
        return rises.flatMap { rise in
            [track.event(.stand, nil, of: hips, at: Double(rise.stand))]
                + (rise.sit.map { [track.event(.sit, nil, of: hips, at: Double($0))] } ?? [])
        }
    }

    /// The rises; nil for none.
    var finding: SitToStandFinding? {
        guard let first = rises.first else { return nil }
        let start = track.times[first.start]
        let fifth = rises.count >= 5 ? rises[4].sit : nil
        let isLong = (track.times.last ?? 0) - start >= 30
        return SitToStandFinding(
            count: rises.count, riseTime: MeasureMean(rises.map { track.times[$0.stand] - track.times[$0.start] }),
            fiveTimes: fifth.map { track.times[$0] - start },
            thirtySeconds: isLong ? rises.count { track.times[$0.stand] <= start + 30 } : nil)
    }

    /// Timed up and go: one rise, walking out and back in two bouts, and sitting; nil otherwise.
    func upAndGo(_ gait: GaitFinder) -> UpAndGoFinding? {
        guard
            let rise = rises.first(where: { rise in
                guard let sit = rise.sit else { return false }
                return gait.bouts.count {
                    Double(rise.start) < Double($0.range.lowerBound) + track.rate && $0.range.lowerBound < sit
                } >= 2
            }), let sit = rise.sit
        else { return nil }
        let inside = gait.bouts.filter { $0.range.upperBound > rise.start && $0.range.lowerBound < sit }
        guard let out = inside.first, let back = inside.last, out.direction != back.direction else { return nil }
        let moments = [
            rise.start, rise.stand, out.range.upperBound, back.range.lowerBound, min(back.range.upperBound, sit), sit,
        ].map { track.times[min($0, track.count - 1)] }
        let phases = zip(moments, moments.dropFirst()).map { max(0, $1 - $0) }
        return UpAndGoFinding(
            total: moments[5] - moments[0], rise: phases[0], walkOut: phases[1], turn: phases[2], walkBack: phases[3],
            sitDown: phases[4])
    }
}

extension BalanceFinding {
    /// The 95 % quantile of chi squared with two degrees of freedom.
    private static let ellipse = 5.991
    /// Seconds; less is no standing at rest.
    static let shortest = 5.0

    /// The sway of the centre of mass in metres; nil for less than `shortest`.
    init?(_ centre: JointPath, rate: Double) {
        let known = centre.x.indices.compactMap { centre[$0] }
        guard Double(known.count) >= Self.shortest * rate else { return nil }
        duration = Double(known.count) / rate
        path = zip(known, known.dropFirst()).map { abs($1.x - $0.x) }.reduce(0, +)
        velocity = path / duration
        let (xs, ys) = (known.map(\.x), known.map(\.y))
        range = (xs.max() ?? 0) - (xs.min() ?? 0)
        let (mx, my) = (xs.reduce(0, +) / Double(xs.count), ys.reduce(0, +) / Double(ys.count))
        let n = Double(known.count - 1)
        let xx = xs.map { ($0 - mx) * ($0 - mx) }.reduce(0, +) / n
        let yy = ys.map { ($0 - my) * ($0 - my) }.reduce(0, +) / n
        let xy = zip(xs, ys).map { ($0 - mx) * ($1 - my) }.reduce(0, +) / n
        deviation = xx.squareRoot()
        area = .pi * Self.ellipse * max(0, xx * yy - xy * xy).squareRoot()
    }
}
