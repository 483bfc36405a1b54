package import KinemaCounting
import Foundation
import KinemaCore

/// The result of coaching; the JSON of `kinema coach`.
public struct CoachResult: AnalysisResult, Hashable {
    /// A held position.
    public struct Hold: Codable, Sendable, Hashable {
        /// The start and end of the hold, seconds.
        public var start: Double, end: Double
        /// The faults.
        public var faults: [FaultResult]
    }

    /// The sets, repetitions and duration that a shown exercise prescribes.
    public struct Dose: Codable, Sendable, Hashable {
        /// The sets to do, and the repetitions of each.
        public var sets: Int, repetitions: Int
        /// The required share of the shown range, and the repetitions that reach it; absent if any range counts.
        public var range: Double?, reached: Int?
        /// The prescribed seconds of a repetition; absent for the duration shown.
        public var seconds: Double?
    }

    /// One person with the exercise and its results.
    public struct Person: Codable, Sendable, Hashable {
        /// The person's number.
        public var id: Int
        /// The time of the cut after which the person is coached, in seconds; absent for who was there before.
        public var afterCut: Double?
        /// The exercise, by name.
        @Nullable public var exercise: String?
        /// The exercise's title.
        @Nullable public var title: String?
        /// The number of repetitions.
        public var count: Int
        /// The total time of all holds, seconds.
        public var held: Double
        /// The repetitions in time order. At the end of the recording they are those of `CountAnalysis` that belong to the
        /// exercise, and any that only the exercise shows; some that were reported before may differ or be missing.
        public var repetitions: [CoachedResult]
        /// The held positions.
        public var holds: [Hold]
        /// The number of repetitions that `CountAnalysis` counts in the same poses.
        public var counted: Int
        /// The counted movements that are not repetitions of the exercise, with reasons.
        public var refused: [RefusedMovement]
        /// Body parts of a shown exercise that could not be judged in any repetition; absent if there are none.
        public var unjudged: [String]?
        /// The dose of a shown exercise; absent if it has none.
        public var dose: Dose?
        /// What else is to be known, such as that left and right were exchanged in the recording; absent if nothing.
        public var notes: [String]?

        /// Whether most repetitions cover less than half of the shown range and are dissimilar to it. The limits were
        /// chosen on 478 pairs of recordings, part of those that `script/teach repetitions` tries.
        var isProbablyAnother: Bool {
            let likeness = repetitions.compactMap(\.likeness)
            return !likeness.isEmpty && likeness.median < 50 && repetitions.compactMap(\.depth).median < 0.5
        }
    }

    /// The exercise of the person with the most repetitions, by name.
    @Nullable public var exercise: String?
    /// That exercise's title.
    @Nullable public var title: String?
    /// The total number of repetitions.
    public var count: Int
    /// Everyone's repetitions in time order.
    public var repetitions: [CoachedResult]
    /// Everyone coached, by number.
    public var people: [Person]

    init(_ found: [PeopleCoach.Person]) {
        people = found.map { person in
            let coach = person.coach
            return Person(
                id: person.id, afterCut: person.cut?.rounded(to: 4), exercise: coach.exercise?.name,
                title: coach.exercise?.title, count: coach.count,
                held: coach.holds.reduce(0) { $0 + $1.end - $1.start }.rounded(to: 4),
                repetitions: coach.repetitions.enumerated().map {
                    CoachedResult($1, id: person.id, number: $0 + 1, coach.exercise)
                },
                holds: coach.holds.map {
                    Hold(
                        start: $0.start.rounded(to: 4), end: $0.end.rounded(to: 4),
                        faults: $0.faults.map(FaultResult.init))
                },
                counted: coach.counted.count,
                refused: coach.refused(of: coach.counted).map {
                    RefusedMovement(start: $0.start.rounded(to: 4), end: $0.end.rounded(to: 4), reason: $0.reason)
                }, unjudged: coach.unjudged.isEmpty ? nil : coach.unjudged,
                dose: coach.exercise?.shown?.dose.map { dose in
                    Dose(
                        sets: dose.sets, repetitions: dose.repetitions, range: dose.range,
                        reached: dose.range.map { least in coach.repetitions.count { ($0.depth ?? 0) >= least } },
                        seconds: dose.seconds)
                }, notes: coach.sidesNote.map { [$0] })
        }
        let leader = people.filter { $0.exercise != nil }.max { $0.count < $1.count }
        (exercise, title) = (leader?.exercise, leader?.title)
        repetitions = people.flatMap(\.repetitions).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        count = repetitions.count
    }

    /// One row per repetition.
    public static var columns: [String] {
        [
            "id", "exercise", "repetition", "start", "end", "depth", "eccentric", "pause", "concentric", "symmetry",
            "side", "faults", "likeness",
        ]
    }

    /// Everyone's repetitions in time order.
    public var rows: [[String]] {
        repetitions.map { one in
            let numbers: [Double?] = [
                one.start, one.end, one.depth, one.tempo.eccentric, one.tempo.pause, one.tempo.concentric, one.symmetry,
            ]
            let faults = one.faults.map(\.code).joined(separator: ";")
            var row = ["\(one.id)", one.exercise ?? "", "\(one.number)"]
            row += numbers.map { $0?.text(4) ?? "" }
            return row + [one.side ?? "", faults, one.likeness?.text(1) ?? ""]
        }
    }

    /// The exercise and the count, then each repetition with its faults.
    public func lines(_ run: AnalysisRun) -> [String] {
        let name = title ?? "no exercise recognised"
        var lines = ["\(run.name): \(name), \(PlainText.counted(count, "repetition")) in \(run.extent)"]
        if run.framesWithDetections == 0 { lines.append("no person found") }
        for person in people {
            guard let title = person.title else {
                if person.counted > 0 {
                    let counted = PlainText.counted(person.counted, "repetition")
                    lines.append("person \(person.id): kinema count finds \(counted) of an unnamed movement")
                }
                continue
            }
            lines.append("person \(person.id)\(PlainText.afterCut(person.afterCut)): \(title), \(person.count)")
            if person.isProbablyAnother { lines.append("  probably another exercise, not the one shown") }
            for one in person.repetitions {
                lines.append("  \(one.number).  \(one.line)")
                lines += one.faults.map { "      " + $0.line }
            }
            for hold in person.holds {
                lines.append(
                    "  held \((hold.end - hold.start).text(1)) s, \(hold.start.text(1)) to \(hold.end.text(1)) s")
                lines += hold.faults.map { "      " + $0.line }
            }
            if let dose = person.dose {
                let reached = dose.range.map {
                    ", \(dose.reached ?? 0) with \((100 * $0).text(0)) % of the range or more"
                }
                let pace = dose.seconds.map { ", \($0.text(1)) s each" } ?? ""
                lines.append("  \(person.count) of \(dose.sets) x \(dose.repetitions)" + pace + (reached ?? ""))
            }
            if let unjudged = person.unjudged {
                lines.append("  not judged (not clearly visible in this view): \(unjudged.joined(separator: ", "))")
            }
            lines += (person.notes ?? []).map { "  \($0)" }
            guard !person.refused.isEmpty else { continue }
            lines.append("  kinema count finds \(person.counted):")
            lines += person.refused.map {
                "      \($0.start.text(1)) to \($0.end.text(1)) s is not counted here: \($0.reason)"
            }
        }
        return lines
    }
}

/// One repetition with the coach's assessment; the JSON of `kinema coach`.
public struct CoachedResult: Codable, Sendable, Hashable {
    /// Seconds in each part of a repetition.
    public struct Tempo: Codable, Sendable, Hashable {
        /// The lowering phase, the pause at the far end, and the lifting phase.
        public var eccentric: Double, pause: Double, concentric: Double
    }

    /// The person's number.
    public var id: Int
    /// The exercise, by name.
    @Nullable public var exercise: String?
    /// The repetition's number for that person, from 1.
    public var number: Int
    /// The start and end, seconds.
    public var start: Double, end: Double
    /// The range as a share of a full repetition's; null if too little is seen.
    @Nullable public var depth: Double?
    /// The seconds each part took.
    public var tempo: Tempo
    /// The smaller side's range as a share of the larger, 0...1; null if a side is not visible.
    @Nullable public var symmetry: Double?
    /// The side that moved, if only one did.
    @Nullable public var side: String?
    /// The faults.
    public var faults: [FaultResult]
    /// How similar it is to a shown exercise, 0...100; absent for other exercises and if too little is seen.
    public var likeness: Double?

    init(_ one: CoachedRepetition, id: Int, number: Int, _ exercise: Exercise?) {
        (self.id, self.number) = (id, number)
        self.exercise = exercise?.name
        start = one.start.rounded(to: 4)
        end = one.end.rounded(to: 4)
        depth = one.depth?.rounded(to: 4)
        tempo = Tempo(
            eccentric: one.tempo.eccentric.rounded(to: 4), pause: one.tempo.pause.rounded(to: 4),
            concentric: one.tempo.concentric.rounded(to: 4))
        symmetry = one.symmetry?.rounded(to: 3)
        side = one.side?.rawValue
        faults = one.faults.map(FaultResult.init)
        likeness = one.likeness?.rounded(to: 1)
    }
}

extension CoachedResult {
    var line: String {
        func percent(_ share: Double) -> String { "\(Int(clamping: share * 100)) %" }
        return "\(start.text(1)) to \(end.text(1)) s, " + (depth.map { "depth \(percent($0)), " } ?? "")
            + "eccentric \(tempo.eccentric.text(1)) pause \(tempo.pause.text(1)) concentric \(tempo.concentric.text(1)) s"
            + (likeness.map { ", likeness \(Int(clamping: $0.rounded()))" } ?? "")
            + (symmetry.map { ", symmetry \(percent($0))" } ?? "") + (side.map { ", \($0) side" } ?? "")
    }
}

/// A fault in a repetition or a hold; the JSON of `kinema coach`.
public struct FaultResult: Codable, Sendable, Hashable {
    /// The kind of fault, by `FaultCode`.
    public var code: String
    /// The joint where the fault is worst; null if no joint is concerned, for example for tempo.
    @Nullable public var joint: String?
    /// The phase of the fault, by the exercise's own name.
    public var phase: String
    /// The measured value, the expected value and the allowed difference, in `unit`.
    public var measured: Double, expected: Double, tolerance: Double
    /// The unit of the three numbers.
    public var unit: String
    /// The difference from the demonstration, in words; absent for faults of other exercises.
    public var text: String?
    /// The measure that differs from the demonstration, without its side: knee, hip, elbow, arm, handHeight, armOut,
    /// armAhead, thighOut, thighAhead, shankAhead, bodyLine, trunk, leanForward, leanSideways, twist, head, legSpread,
    /// kneeGap, ankleGap, handGap, hipHeight, hipRise, shoulderRise or handRise; absent for other faults.
    public var measure: String?
    /// The side of that measure, or of the smaller range: left, right or both; absent for others.
    public var side: String?

    package init(_ fault: Fault) {
        (code, phase, unit) = (fault.code.rawValue, fault.phase, fault.unit.rawValue)
        joint = fault.joint?.rawValue
        measured = fault.measured.rounded(to: 3)
        expected = fault.expected.rounded(to: 3)
        tolerance = fault.tolerance.rounded(to: 3)
        (text, measure, side) = (fault.words, fault.measureName, fault.side)
    }
}

extension FaultResult {
    var line: String {
        if let text { return text }
        func number(_ value: Double) -> String { value.text(abs(value) < 10 ? 2 : 0) }
        let title = FaultCode(rawValue: code)?.title ?? code
        let bound =
            measured < expected ? "at least \(number(expected - tolerance))" : "at most \(number(expected + tolerance))"
        return "\(title): \(joint.map { $0 + " " } ?? "")\(number(measured)) \(unit), expected \(bound) (\(phase))"
    }
}
