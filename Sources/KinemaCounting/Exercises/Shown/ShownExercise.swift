import KinemaCore
package import Foundation

/// An exercise learnt from repetitions: the course of every measure on a common phase, with its natural spread.
///
/// The phase is 0 in the start posture, 1 at the turn and 2 back in the start posture. Angles are in degrees, lengths in
/// torso lengths, times in seconds.
package struct ShownExercise: Sendable, Hashable, Encodable {
    /// The number of points in a course, from phase 0 to phase 2, and the index of the turn.
    package static let points = 21, turn = 10
    /// The newest version of the file format.
    static let newest = 1

    package struct Measure: Sendable, Hashable, Encodable {
        package var measure: BodyMeasure
        /// The views that show it well enough to be judged.
        var views: [BodyView]
        /// The standard deviation between repetitions and between people at each point.
        package var spread: [Double]
        /// The mean course of each recording.
        var courses: [[Double]]

        package var mean: [Double] { RepetitionCourse.mean(courses) }
    }

    /// The seconds of a part of a repetition, with their standard deviation.
    package struct Part: Sendable, Hashable, Encodable {
        package var mean: TimeInterval, spread: TimeInterval
    }

    /// The whole repetition as cut by the counter, and its parts: to the turn, near it, and back.
    package struct Tempo: Sendable, Hashable, Encodable {
        var whole: Part
        package var out: Part, pause: Part, back: Part
    }

    /// What the person is to do.
    package struct Dose: Sendable, Hashable, Encodable {
        package var sets: Int, repetitions: Int
        /// The least share of the shown range; nil for the natural variation.
        package var range: Double?
        /// The duration of a repetition; nil for the one shown.
        package var seconds: Double?

        package init(sets: Int, repetitions: Int, range: Double? = nil, seconds: Double? = nil) {
            (self.sets, self.repetitions, self.range, self.seconds) = (sets, repetitions, range, seconds)
        }
    }

    /// A fault learnt from wrong repetitions.
    package struct NamedFault: Sendable, Hashable, Encodable {
        struct Weight: Sendable, Hashable, Encodable {
            var measure: BodyMeasure
            var moment: Moment
            var weight: Double
        }

        package var name: String
        /// The number of repetitions that showed it.
        package var examples: Int
        /// The sum of weighted deviations above which it is reported: 0 as shown, 1 as in its examples.
        var limit: Double
        var weights: [Weight]
    }

    var version = newest
    /// The numbers of recordings and repetitions it is based on.
    package var recordings: Int, repetitions: Int
    /// Whether the mirror image is correct too.
    var mirror = true
    /// The views it was shown from, degrees: 0 from the front, 90 from the side.
    var angle: ClosedRange<Double>
    package var tempo: Tempo
    package var dose: Dose?
    package var measures: [Measure]
    package var faults: [NamedFault] = []
    /// The joints of `BodyJoints` at each point, three numbers each: to the picture's right, up, and towards the
    /// camera, relative to the midpoint of the hips in torso lengths; empty if omitted.
    var skeleton: [[Double]]

    /// Parts of the phase over which deviations are averaged.
    package enum Moment: String, Sendable, Hashable, CaseIterable, Codable {
        case whole, start, out, turn, back

        /// At least three points: people cannot name anything shorter.
        package var points: [Int] {
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

        func mean(_ course: [Double]) -> Double { points.reduce(0) { $0 + course[$1] } / Double(points.count) }

        /// The change of a course from the start posture to the turn.
        static func way(_ course: [Double]) -> Double { turn.mean(course) - start.mean(course) }
    }

    /// The seconds since the start at each point of a course with these parts.
    static func seconds(out: Double, pause: Double, back: Double) -> [Double] {
        (0..<points).map { point in
            let (share, middle) = (Double(point) / Double(turn), out + pause / 2)
            return share <= 1 ? share * middle : middle + (share - 1) * (pause / 2 + back)
        }
    }
}

extension ShownExercise {
    /// Whether the body or the hands move down first, as in a squat.
    var beginsEccentric: Bool {
        let heights: [BodyMeasure] = [.shoulderRise, .hipRise, .handRise]
        let ways = measures.filter { heights.contains($0.measure) }.map(\.way)
        return ways.max { abs($0) < abs($1) } ?? -1 < 0
    }

    /// The tempo to keep: the shown one, stretched to the seconds of the dose.
    var pace: Tempo {
        guard let seconds = dose?.seconds, tempo.whole.mean > 0 else { return tempo }
        let share = seconds / tempo.whole.mean
        func part(_ one: Part) -> Part { Part(mean: share * one.mean, spread: share * one.spread) }
        return Tempo(whole: part(tempo.whole), out: part(tempo.out), pause: part(tempo.pause), back: part(tempo.back))
    }

    /// The measures that move by more than twice their spread.
    var moving: [Measure] { measures.filter { $0.extent > 2 } }

    /// What moves and what stays still, in lines for people.
    package var description: [String] {
        func line(_ title: String, _ list: [Measure]) -> [String] {
            list.isEmpty ? [] : ["  \(title): " + list.prefix(6).map(\.text).joined(separator: ", ")]
        }
        let still = measures.filter { $0.extent < 1 && $0.measure.unit == .degrees }
        return line("moves", moving.sorted { $0.extent > $1.extent })
            + line("stays still", still.sorted { $0.extent < $1.extent })
    }
}

extension ShownExercise.Measure {
    /// The change from the start posture to the turn.
    var way: Double { ShownExercise.Moment.way(mean) }
    /// The size of that change in spreads.
    var extent: Double { abs(way) / spread[ShownExercise.turn] }

    /// The part and its values at the start and the turn, or the ends of its range if those hardly differ.
    fileprivate var text: String {
        let (from, to) = extent < 1 ? (mean.min() ?? 0, mean.max() ?? 0) : (mean[0], mean[ShownExercise.turn])
        let isAngle = measure.unit == .degrees
        return "\(measure.sidedPart) (\(measure.name)) \(from.text(isAngle ? 0 : 2)) to \(to.text(isAngle ? 0 : 2))"
            + (isAngle ? " degrees" : "")
    }
}

/// The progress of postures from the start of a shown exercise to its turn.
struct ShownProgress: Sendable {
    private let parts: [(measure: BodyMeasure, mirrored: BodyMeasure, start: Double, way: Double, weight: Double)]
    private let mirror: Bool

    init(_ shown: ShownExercise) {
        mirror = shown.mirror
        // Heights are only known relative to the start posture, which is not known yet.
        parts = shown.moving.filter { !$0.measure.isRelative }.map { one in
            let spread = one.spread[ShownExercise.turn]
            let start = ShownExercise.Moment.start.mean(one.mean)
            return (one.measure, one.measure.mirrored.measure, start, one.way, 1 / (spread * spread))
        }
    }

    /// 0 in the start posture, 1 at the turn; nil if too little is seen.
    func progress(of reading: BodyReading) -> Double? {
        func share(_ isMirrored: Bool) -> Double? {
            var (sum, weight) = (0.0, 0.0)
            for one in parts {
                let measure = isMirrored ? one.mirrored : one.measure
                guard reading.confidence(of: measure) >= RepetitionCourse.judged else { continue }
                let value = Double(reading[measure]) * (isMirrored ? one.measure.mirrored.sign : 1)
                sum += (value - one.start) * one.way * one.weight
                weight += one.way * one.way * one.weight
            }
            // Momentary errors must not become the start posture.
            return weight > 0 ? min(1.8, max(-0.4, sum / weight)) : nil
        }
        return (mirror ? [share(false), share(true)] : [share(false)]).compactMap(\.self).max()
    }
}
