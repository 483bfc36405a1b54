package import Foundation

/// An exercise learnt from repetitions: the course of every measure on a common phase, with its natural spread.
///
/// The phase is 0 in the start posture, 1 at the turn and 2 back in the start posture. Angles are in degrees, lengths in
/// torso lengths, times in seconds.
package struct ShownExercise: Sendable, Hashable {
    /// The points of a course, from phase 0 to phase 2, and the one of the turn.
    package static let points = 21, turn = 10
    /// The newest version of the file format.
    package static let version = 1

    /// The courses of one measure.
    package struct Measure: Sendable, Hashable {
        package var measure: BodyMeasure
        /// The mean course of each recording.
        package var courses: [[Double]]
        /// The standard deviation between repetitions and between people at each point.
        package var spread: [Double]
        /// The views that show it well enough to be judged.
        package var views: Set<BodyView>

        package var mean: [Double] {
            spread.indices.map { point in courses.reduce(0) { $0 + $1[point] } / Double(courses.count) }
        }
    }

    /// The seconds of a part of a repetition, with their standard deviation.
    package struct Part: Sendable, Hashable {
        package var mean: TimeInterval, spread: TimeInterval
    }

    /// What is to be done.
    package struct Dose: Sendable, Hashable, Encodable {
        package var sets: Int, repetitions: Int
        /// The least share of the range shown.
        package var range = Self.usualRange
        package static let usualRange = 0.9

        package init(sets: Int, repetitions: Int) { (self.sets, self.repetitions) = (sets, repetitions) }
    }

    /// A fault learnt from wrong repetitions.
    package struct NamedFault: Sendable, Hashable, Encodable {
        package struct Weight: Sendable, Hashable {
            package var measure: BodyMeasure
            package var moment: Moment
            package var weight: Double
        }

        package var name: String
        /// The number of repetitions that showed it.
        package var examples: Int
        /// The sum of weighted deviations above which it is reported: 0 as shown, 1 as in its examples.
        package var limit: Double
        package var weights: [Weight]
    }

    /// The numbers of recordings and of repetitions it rests on.
    package var recordings: Int, repetitions: Int
    /// Whether the mirror image is right too.
    package var mirror = true
    package var out: Part, pause: Part, back: Part
    package var measures: [Measure]
    package var faults: [NamedFault] = []
    package var dose: Dose?
    /// The views it was shown from, degrees: 0 from the front, 90 from the side.
    package var angle: ClosedRange<Double>
    /// The joints of `BodyJoints` at each point, three numbers each: to the picture's right, up, and towards the camera,
    /// from the middle of the hips in torso lengths.
    package var skeleton: [[Double]]

    /// Parts of the phase over which deviations are averaged.
    package enum Moment: String, Sendable, Hashable, CaseIterable, Codable {
        case whole, start, out, turn, back

        /// Three points each: a fifteenth of the repetition is shorter than people can name.
        var points: [Int] {
            switch self {
            case .whole: Array(0..<ShownExercise.points)
            case .start: [0, 1, 19, 20]
            case .out: [4, 5, 6]
            case .turn: [9, 10, 11]
            case .back: [14, 15, 16]
            }
        }

        var words: String {
            switch self {
            case .whole: "throughout"
            case .start: "at the start"
            case .out: "on the way out"
            case .turn: "at the turn"
            case .back: "on the way back"
            }
        }
    }
}

extension ShownExercise {
    /// Whether the body or the hands go down first, as in a squat.
    var beginsEccentric: Bool {
        let heights: [BodyMeasure] = [.shoulderRise, .hipRise, .handRise]
        let rises = measures.filter { heights.contains($0.measure) }.map { $0.mean[Self.turn] - $0.mean[0] }
        return (rises.max { abs($0) < abs($1) } ?? -1) < 0
    }

    /// The measures that move by more than twice their spread.
    package var moving: [Measure] {
        measures.filter { one in
            let mean = one.mean
            return abs(mean[Self.turn] - (mean[0] + mean[20]) / 2) > 2 * one.spread[Self.turn]
        }
    }

    /// What moves and what stays still, in lines for people.
    package var description: [String] {
        func extent(_ one: Measure) -> (low: Double, high: Double) { (one.mean.min() ?? 0, one.mean.max() ?? 0) }
        func text(_ one: Measure) -> String {
            let (low, high) = extent(one), unit = one.measure.unit
            let name = (one.measure.side.map { "\($0.rawValue) " } ?? "") + one.measure.part
            return unit == .degrees
                ? "\(name) (\(one.measure.name)) \(Int(low.rounded())) to \(Int(high.rounded())) degrees"
                : "\(name) (\(one.measure.name)) \(low.text(2)) to \(high.text(2))"
        }
        func share(_ one: Measure) -> Double { (extent(one).high - extent(one).low) / one.spread[Self.turn] }
        let moves = moving.sorted { share($0) > share($1) }.prefix(6)
        let still = measures.filter { share($0) < 1 && $0.measure.unit == .degrees }.sorted { share($0) < share($1) }
            .prefix(6)
        return (moves.isEmpty ? [] : ["  moves: " + moves.map(text).joined(separator: ", ")])
            + (still.isEmpty ? [] : ["  stays still: " + still.map(text).joined(separator: ", ")])
    }

    /// The progress of a posture on the way from the start to the turn; nil where too little is seen.
    func progress(of reading: BodyReading, base: BodyReading?) -> Double? {
        func share(_ isMirrored: Bool) -> Double? {
            var (sum, weight) = (0.0, 0.0)
            for one in moving {
                let measure = isMirrored ? one.measure.mirrored.measure : one.measure
                let sign = isMirrored ? one.measure.mirrored.sign : 1
                guard reading.confidence(of: measure) >= RepetitionCourse.judged else { continue }
                let mean = one.mean
                let way = mean[Self.turn] - mean[0]
                // Heights are known only relative to the start posture.
                let offset = one.measure.isRelative ? base.map { Double($0[measure]) } : mean[0]
                guard let offset, offset.isFinite else { continue }
                let value = Double(reading[measure]) * sign
                let scale = one.spread[Self.turn] * one.spread[Self.turn]
                sum += (value - offset) * way / scale
                weight += way * way / scale
            }
            return weight > 0 ? sum / weight : nil
        }
        guard mirror else { return share(false) }
        return [share(false), share(true)].compactMap(\.self).max()
    }
}
