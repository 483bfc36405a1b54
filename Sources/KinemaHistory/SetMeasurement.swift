import Foundation
package import Kinema
import KinemaMotion

/// What was measured in a set: one joint's angle inside the repetitions. It is computed once, from the stored poses; the
/// card, the review, the report, the trend, the comparison and the exports all show these values.
package struct SetMeasurement: Sendable, Equatable, Codable {
    /// Why this joint.
    package enum Basis: String, Sendable, Codable {
        /// It is the one that the exercise follows.
        case exercise
        /// It carries the cycles that were counted.
        case cycles
    }

    /// Absent values are unknown: a joint was not certain, or the person not in view all the time.
    package struct Repetition: Sendable, Equatable, Codable {
        package var id: Int
        /// Seconds.
        package var start: Double, end: Double
        /// The joint measured: of movements that alternate, the side that moves.
        package var joint: String
        package var isUnseen: Bool?
        /// Degrees; the lowest and the highest angle, and their difference, of the joint and of each side.
        package var low: Double?, high: Double?, range: Double?, left: Double?, right: Double?
        /// The smaller side's range as a share of the larger, 0...1.
        package var symmetry: Double?
        /// The highest speed, degrees a second.
        package var peak: Double?
        /// When the movement turns, seconds, and the seconds before, at and after the turn.
        package var turn: Double?, out: Double?, pause: Double?, back: Double?
    }

    /// The joint, such as "leftKnee".
    package var joint: String
    package var basis: Basis
    /// Whether the person was seen from the side, within 30 degrees.
    package var isFromSide: Bool
    /// In the order of time; as corrected if they were.
    package var repetitions: [Repetition]
    /// The mean range of the repetitions, degrees.
    package var range: Double?
    /// The mean range of each joint, degrees.
    package var ranges: [String: Double]
    /// The places of the best and the weakest repetition, from 0: the fewest faults, then the greatest depth or range.
    package var best: Int?, weakest: Int?
}

extension StoredSession {
    /// A repetition to be measured, with what was reported of it.
    struct TrueRepetition {
        var id: Int
        var start: Double, end: Double
        var depth: Double?, symmetry: Double?
        var side: String?
        var tempo: CoachedResult.Tempo?
        var faults = 0
    }

    /// Whether repetitions are counted in it.
    package var isSet: Bool { mode == .count || mode == .coach }

    /// The repetitions and holds in the order of time, as corrected if they were; what was reported stays with those that
    /// kept their times.
    var trueRepetitions: [TrueRepetition] {
        var found = repetitions.map { one in
            TrueRepetition(
                id: one.id, start: one.start, end: one.end, depth: one.depth, symmetry: one.symmetry, side: one.side,
                tempo: one.tempo, faults: one.faults.count)
        }
        found += holds.map { TrueRepetition(id: $0.id, start: $0.start, end: $0.end, faults: $0.faults.count) }
        found.sort { $0.start < $1.start }
        let sorted = found
        return corrections?.map { one in
            let same = sorted.first {
                $0.id == one.id && abs($0.start - one.start) < 0.01 && abs($0.end - one.end) < 0.01
            }
            return same ?? TrueRepetition(id: one.id, start: one.start, end: one.end)
        } ?? sorted
    }

    /// The exercise that was coached or recognised, else the one in the coach's words.
    package var exerciseName: String? { exercise ?? details?.name }

    /// Whether it has yet to be measured, which needs its poses.
    var isUnmeasured: Bool { isSet && measured == nil && hasPoses && !trueRepetitions.isEmpty }
}

extension SetMeasurement {
    /// Measures a set; nil without repetitions of anybody who is in the poses.
    package init?(_ session: StoredSession, _ series: JointSeries, _ exercise: Exercise?) {
        let wanted = session.trueRepetitions
        guard session.isSet, let first = wanted.first, let person = series.people.first else { return nil }
        let measurer = SetMeasurer(wanted, series, person: first.id > 0 ? first.id : person)
        let led = exercise?.measuredPair
        guard let main = measurer.side(of: led ?? measurer.carrier()) else { return nil }
        let isAlternating = wanted.contains { $0.side != nil } || (led == nil && measurer.alternates(main))
        joint = JointSeries.joints[main].name
        basis = led == nil ? .cycles : .exercise
        isFromSide = measurer.isFromSide
        repetitions = wanted.map { measurer.measure($0, main, isAlternating: isAlternating) }
        range = Self.mean(repetitions.compactMap(\.range))
        ranges = measurer.ranges
        let reach = zip(wanted, repetitions).map { $0.depth ?? $1.range }
        let known = wanted.indices.filter { reach[$0] != nil && repetitions[$0].isUnseen != true }
        let order = known.sorted { one, other in
            let (faults, others) = (wanted[one].faults, wanted[other].faults)
            return faults == others ? (reach[one] ?? 0) > (reach[other] ?? 0) : faults < others
        }
        if order.count > 1 { (best, weakest) = (order.first, order.last) }
    }

    static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : rounded(values.reduce(0, +) / Double(values.count), 10)
    }

    fileprivate static func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
}

extension Exercise {
    /// The joints whose angle shows how far a repetition goes, such as "Knee"; "trunk" is one.
    fileprivate var measuredPair: String? {
        guard let measure = leadingAngle?.measure ?? motion?.measure else { return nil }
        switch measure {
        case .knee, .leftKnee, .rightKnee: return "Knee"
        case .hip, .leftHip, .rightHip: return "Hip"
        // A hand that rises over the shoulder does so by the elbow.
        case .elbow, .leftElbow, .rightElbow, .handHeight, .leftHandHeight, .rightHandHeight: return "Elbow"
        case .arm, .leftArm, .rightArm: return "Shoulder"
        case .trunk: return "trunk"
        default: return nil
        }
    }
}

/// Measures the repetitions of one set.
private struct SetMeasurer {
    struct Point {
        var time: Double, value: Double
    }

    /// The share of a repetition's frames that must be known to measure it.
    private static let enough = 0.7
    /// The share of the range within which the movement counts as pausing at the turn.
    private static let nearTurn = 0.1
    /// Seconds over which a speed is taken.
    private static let slope = 0.1
    /// A smooth movement peaks at 1.875 times its mean speed (minimum jerk; Flash and Hogan, J Neurosci 5, 1985); twice that
    /// is a misread frame, and 3,000 degrees a second are beyond the fastest joint, a pitcher's elbow (Fleisig et al., J
    /// Biomech 32, 1999).
    private static let (mostOverMean, mostSpeed) = (3.75, 3_000.0)
    /// Trunk lengths: the width of shoulders and hips from 30 degrees beside the side view.
    private static let sideWidth: Float = 0.28
    /// How much farther the other side must go before a movement alternates.
    private static let clearlyMore = 1.5
    /// What a joint's cycles are worth: of limbs that bend together, the middle joint names the movement; the trunk moves with
    /// everything. Legs that carry the hips up and down are worth up to three times as much as arms that only swing along.
    private static let worth: [String: Double] = ["Knee": 1.2, "Elbow": 1.2, "Hip": 1, "Shoulder": 1, "trunk": 0.6]
    private static let carrying = 2.0

    private let wanted: [StoredSession.TrueRepetition]
    private let series: JointSeries
    private let person: Int
    private let gap: SightGap
    private let own: [StoredSession.TrueRepetition]
    private let cache: [Int: [[Float]]]

    init(_ wanted: [StoredSession.TrueRepetition], _ series: JointSeries, person: Int) {
        (self.wanted, self.series, self.person) = (wanted, series, person)
        gap = SightGap(series.times)
        own = wanted.filter { $0.id == person || $0.id == 0 }
        let people = Set(wanted.map { $0.id > 0 ? $0.id : person })
        cache = Dictionary(
            uniqueKeysWithValues: people.map { one in
                (one, JointSeries.joints.indices.map { series.angles($0, of: one) })
            })
    }

    private func isWithin(_ time: Double) -> Bool { own.contains { ($0.start...max($0.start, $0.end)).contains(time) } }

    var isFromSide: Bool { series.width(of: person, where: isWithin) < Self.sideWidth }

    /// The mean range of each joint.
    var ranges: [String: Double] {
        var found: [String: Double] = [:]
        for (index, joint) in JointSeries.joints.enumerated() {
            found[joint.name] = SetMeasurement.mean(own.compactMap { extent(index, $0)?.range })
        }
        return found
    }

    /// The pair of joints that carries the cycles: whose angle goes far in the same way in each repetition.
    func carrier() -> String {
        let rise = common(series.hipHeights(of: person)).extent
        let scores = JointSeries.joints.enumerated().map { index, joint -> (String, Double) in
            let (extent, share) = common(cache[person]?[index] ?? [])
            let isLeg = joint.pair == "Knee" || joint.pair == "Hip"
            let weight = (Self.worth[joint.pair] ?? 1) * (isLeg ? 1 + Self.carrying * min(1, rise) : 1)
            return (joint.pair, extent * share * weight * Double(series.sight(index, of: person, where: isWithin)))
        }
        return scores.max { $0.1 < $1.1 }?.0 ?? "Knee"
    }

    /// How far the mean curve of all repetitions goes, and its share of their variance.
    private func common(_ values: [Float]) -> (extent: Double, share: Double) {
        let curves = own.compactMap { one -> [Double]? in
            guard let points = points(values, one) else { return nil }
            return resampled(points)
        }
        guard let length = curves.first?.count else { return (0, 0) }
        let mean = (0..<length).map { at in curves.reduce(0) { $0 + $1[at] } / Double(curves.count) }
        let all = curves.map(Self.variance).reduce(0, +) / Double(curves.count)
        let extent = (mean.max() ?? 0) - (mean.min() ?? 0)
        // A single repetition cannot agree with others.
        return (extent, curves.count == 1 ? 0.7 : all > 0 ? min(1, Self.variance(mean) / all) : 0)
    }

    private static func variance(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    }

    private func resampled(_ points: [Point], count: Int = 24) -> [Double] {
        var at = 0
        return (0..<count).map { step in
            let time =
                points[0].time + (points[points.count - 1].time - points[0].time) * Double(step) / Double(count - 1)
            while at < points.count - 2, points[at + 1].time < time { at += 1 }
            let (from, to) = (points[at], points[at + 1])
            let share = min(1, max(0, (time - from.time) / max(to.time - from.time, 1e-6)))
            return from.value + (to.value - from.value) * share
        }
    }

    /// The side of a pair to measure: how far it goes, times the confidence in its joints; of a hidden knee the model only
    /// guesses.
    func side(of pair: String) -> Int? {
        JointSeries.joints.indices.filter { JointSeries.joints[$0].pair == pair }.max { reach($0) < reach($1) }
    }

    private func reach(_ joint: Int) -> Double {
        let ranges = own.compactMap { extent(joint, $0)?.range }
        let mean = ranges.isEmpty ? 0 : ranges.reduce(0, +) / Double(ranges.count)
        return (mean + 1e-6) * Double(series.sight(joint, of: person, where: isWithin))
    }

    /// Whether some repetitions are clearly those of the other side.
    func alternates(_ main: Int) -> Bool {
        let others = own.filter { mover($0, main) != main }.count
        return others >= 2 && others <= own.count - 2
    }

    private func other(_ joint: Int) -> Int? {
        JointSeries.joints.indices.first {
            $0 != joint && JointSeries.joints[$0].pair == JointSeries.joints[joint].pair
        }
    }

    private func mover(_ one: StoredSession.TrueRepetition, _ main: Int) -> Int {
        guard let other = other(main) else { return main }
        if let side = one.side { return [main, other].first { JointSeries.joints[$0].name.hasPrefix(side) } ?? main }
        let (mine, there) = (extent(main, one)?.range ?? 0, extent(other, one)?.range ?? 0)
        return there > Self.clearlyMore * mine ? other : main
    }

    func measure(
        _ one: StoredSession.TrueRepetition, _ main: Int, isAlternating: Bool
    ) -> SetMeasurement.Repetition {
        let joint = isAlternating ? mover(one, main) : main
        var found = SetMeasurement.Repetition(
            id: one.id, start: one.start, end: one.end, joint: JointSeries.joints[joint].name)
        let tempo = one.tempo
        let whose = one.id > 0 ? one.id : person
        guard series.covers(one.start, one.end, of: whose, gap) else {
            found.isUnseen = true
            return found
        }
        (found.out, found.pause, found.back) = (tempo?.eccentric, tempo?.pause, tempo?.concentric)
        found.turn = tempo.map { one.start + $0.eccentric + $0.pause / 2 }
        if let (low, high, range) = extent(joint, one) {
            (found.low, found.high, found.range) = (low, high, range)
            let points = points(cache[whose]?[joint] ?? [], one) ?? []
            let turn = Self.turn(points)
            found.turn = SetMeasurement.rounded(points[turn].time, 1_000)
            let parts = Self.parts(points, turn, one)
            if tempo == nil { (found.out, found.pause, found.back) = parts }
            found.peak = peak(points, range, parts)
        }
        guard let other = other(main) else { return found }
        let sides = [main, other].sorted { JointSeries.joints[$0].name < JointSeries.joints[$1].name }
            .map { extent($0, one)?.range }
        // From the side the far limb is guessed, and of an alternating movement one side rests.
        if !isFromSide, !isAlternating {
            (found.left, found.right) = (sides[0], sides[1])
            if let left = sides[0], let right = sides[1], max(left, right) > 0 {
                found.symmetry = SetMeasurement.rounded(min(left, right) / max(left, right), 1_000)
            }
        }
        found.symmetry = one.symmetry ?? found.symmetry
        return found
    }

    private func extent(
        _ joint: Int, _ one: StoredSession.TrueRepetition
    ) -> (low: Double, high: Double, range: Double)? {
        let values = points(cache[one.id > 0 ? one.id : person]?[joint] ?? [], one)?.map(\.value)
        guard let low = values?.min(), let high = values?.max() else { return nil }
        let ends = (SetMeasurement.rounded(low, 10), SetMeasurement.rounded(high, 10))
        return (ends.0, ends.1, SetMeasurement.rounded(ends.1 - ends.0, 10))
    }

    /// The known values of a repetition; nil if too few are known or there is a gap.
    private func points(_ values: [Float], _ one: StoredSession.TrueRepetition) -> [Point]? {
        let (times, margin) = (series.times, 1e-4)
        var at = series.index(of: one.start - margin)
        var (all, points) = (0, [Point]())
        while at < times.count, times[at] <= one.end + margin {
            all += 1
            if at < values.count, values[at].isFinite {
                points.append(Point(time: times[at], value: Double(values[at])))
            }
            at += 1
        }
        guard all > 2, points.count > 2, Double(points.count) >= Self.enough * Double(all),
            gap.isUnbroken(points.lazy.map(\.time), from: one.start, to: one.end)
        else { return nil }
        return points
    }

    /// The point farthest from the line between the first and the last.
    private static func turn(_ points: [Point]) -> Int {
        guard let first = points.first, let last = points.last else { return 0 }
        let rise = (last.value - first.value) / max(last.time - first.time, 1e-6)
        func away(_ point: Point) -> Double { abs(point.value - first.value - rise * (point.time - first.time)) }
        return points.indices.max { away(points[$0]) < away(points[$1]) } ?? 0
    }

    private static func parts(
        _ points: [Point], _ turn: Int, _ one: StoredSession.TrueRepetition
    ) -> (out: Double?, pause: Double?, back: Double?) {
        let values = points.map(\.value)
        let close = nearTurn * ((values.max() ?? 0) - (values.min() ?? 0))
        var (first, last) = (turn, turn)
        while first > 0, abs(values[first - 1] - values[turn]) < close { first -= 1 }
        while last < values.count - 1, abs(values[last + 1] - values[turn]) < close { last += 1 }
        func text(_ seconds: Double) -> Double { SetMeasurement.rounded(max(0, seconds), 1_000) }
        return (
            text(points[first].time - one.start), text(points[last].time - points[first].time),
            text(one.end - points[last].time)
        )
    }

    /// The fastest change, degrees a second; nil if it is none that a person can make.
    private func peak(_ points: [Point], _ range: Double, _ parts: (out: Double?, pause: Double?, back: Double?))
        -> Double?
    {
        var (peak, to) = (0.0, 0)
        for at in points.indices {
            while to < points.count, points[to].time - points[at].time < Self.slope - 1e-6 { to += 1 }
            guard to < points.count else { break }
            let span = points[to].time - points[at].time
            if span < 3 * Self.slope { peak = max(peak, abs(points[to].value - points[at].value) / span) }
        }
        let shortest = max(min(parts.out ?? 0, parts.back ?? 0), 2 * Self.slope)
        let most = min(Self.mostSpeed, Self.mostOverMean * range / shortest)
        return peak > 0 && peak <= most ? SetMeasurement.rounded(peak, 10) : nil
    }
}
