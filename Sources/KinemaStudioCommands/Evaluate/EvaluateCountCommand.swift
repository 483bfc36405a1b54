import ArgumentParser
import Foundation
import KinemaCommands
import Kinema

struct EvaluateCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Counts the repetitions in every labelled clip and prints MAE, OBO and the share of exact counts.",
        discussion: """
            LABELS is a table with the columns file and reps (or count). Files may be pose files as `kinema count` reads \
            them. The optional columns reps_low and reps_high give the \
            correct counts of a clip that begins or ends in mid-repetition; exercise is optional too. Files are \
            in the table's folder. MAE is the mean absolute error as a share of the label, OBO the share of counts within \
            one of the label, exact the share of correct counts. Brackets are 95 % confidence intervals, by a bootstrap over the \
            clips. With --varied each clip is counted again from the same poses: mirrored, backwards, slower and \
            faster by a third, and from every second and every third frame. None of this changes the true count, and \
            the counter was not tuned on it.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @Flag(help: "Also count variations of each clip that leave the true count unchanged.")
    var varied = false

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var turn: TurnOptionGroup

    @OptionGroup var time: TimeOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func run() async throws {
        try await Interruption.guarding { interruption in
            let rows = try CountLabel.read(URL(filePath: labels))
            var score = CountingScore()
            var variations: [CountVariation: CountingScore] = [:]
            var table = try EvaluationTable(
                results.format,
                columns: ["file": 28, "exercise": 20, "truth": 11, "counted": 9, "seconds": 0],
                header: ["file", "exercise", "reps", "reps_low", "reps_high", "counted", "seconds"])
            for (index, row) in rows.enumerated() where !interruption.isRaised {
                Console.shared.progress(index, of: rows.count, note: row.file)
                let input = try poseFile.choice(InputChoice(row.path)).turned(turn.orientation, by: turn.option)
                    .timed(time.timing)
                let runner = InputRunner(input: input, showsProgress: false)
                var film: [PosedMoment] = []
                let outcome = try await runner.run(
                    CountAnalysis(try body.counting), interruption,
                    onFrame: { frame, _ in
                        if varied { film.append(PosedMoment(time: frame.frame.time, poses: frame.poses)) }
                    })
                let count = outcome.analysis.count
                if interruption.isRaised { break }
                score.add(row.clip(counted: count))
                try table.row(
                    [row.file, row.exercise, row.truth, "\(count)", outcome.run.seconds.text(1)],
                    isWrong: !row.range.contains(count) && row.repetitions != count,
                    [
                        .text(row.file), .text(row.exercise), .integer(row.repetitions), .integer(row.range.lowerBound),
                        .integer(row.range.upperBound), .integer(count), .number(outcome.run.seconds, decimals: 2),
                    ])
                for variation in varied ? CountVariation.allCases : [] {
                    let varied = variation.applied(to: film).counted(aspectRatio: outcome.aspectRatio)
                    variations[variation, default: CountingScore()].add(row.clip(counted: varied))
                }
            }
            Console.shared.endProgress()
            try Self.end(table, score, variations)
        }
    }

    /// Writes the measures with their 95 % confidence intervals, first those of the unchanged clips.
    private static func end(
        _ table: EvaluationTable, _ score: CountingScore, _ variations: [CountVariation: CountingScore]
    ) throws {
        let varied = CountVariation.allCases.compactMap { kind in
            variations[kind].map { (name: kind.rawValue, score: $0) }
        }
        let lines =
            ["\(PlainText.counted(score.clips.count, "clip")): \(score.text)"]
            + varied.map { "\($0.name): \($0.score.text)" }
        try table.end(lines) { json in
            json.field("clips", score.clips.count)
            score.write(to: &json)
            guard !varied.isEmpty else { return }
            json.objects("varied", varied) { json, one in
                json.field("as", one.name)
                one.score.write(to: &json)
            }
        }
    }
}

/// A variation of a recording that leaves its true count unchanged, to test on input that no counter was tuned on.
enum CountVariation: String, CaseIterable, Sendable {
    case mirrored, backwards, slower, quicker
    case halfRate = "half_rate"
    case thirdRate = "third_rate"

    /// The factor for slower and quicker: a clear difference that most exercises can still have.
    private static let tempo = 1.35

    func applied(to film: [PosedMoment]) -> [PosedMoment] {
        let end = film.last?.time ?? 0
        switch self {
        case .mirrored: return film.map { PosedMoment(time: $0.time, poses: $0.poses.map(\.mirrored)) }
        case .backwards: return film.reversed().map { PosedMoment(time: end - $0.time, poses: $0.poses) }
        case .slower: return film.map { PosedMoment(time: $0.time * Self.tempo, poses: $0.poses) }
        case .quicker: return film.map { PosedMoment(time: $0.time / Self.tempo, poses: $0.poses) }
        case .halfRate: return every(2, of: film)
        case .thirdRate: return every(3, of: film)
        }
    }

    private func every(_ step: Int, of film: [PosedMoment]) -> [PosedMoment] {
        stride(from: 0, to: film.count, by: step).map { film[$0] }
    }
}

struct PosedMoment: Sendable {
    /// Seconds from the first frame.
    var time: TimeInterval
    var poses: [Pose]
}

extension [PosedMoment] {
    /// Counts the repetitions of the most prominent person, in pictures with the given width divided by height.
    func counted(aspectRatio: Double) -> Int {
        var counter = PeopleCounter(scope: .prominent, aspectRatio: aspectRatio)
        for moment in self { counter.append(moment.poses, at: moment.time) }
        counter.finish()
        return counter.count
    }
}

extension Pose {
    fileprivate var mirrored: Pose {
        var mirrored = self
        mirrored.keypoints = Dictionary(
            uniqueKeysWithValues: keypoints.values.map { joint in
                let location = CGPoint(x: 1 - joint.location.x, y: joint.location.y)
                let key = joint.key.mirrored
                return (key, JointPoint(key, location: location, confidence: joint.confidence))
            })
        mirrored.keypoints3D = Dictionary(
            uniqueKeysWithValues: keypoints3D.values.map { joint in
                let (key, position) = (joint.key.mirrored, joint.position * SIMD3(-1, 1, 1))
                return (key, JointPoint3D(key, position: position, confidence: joint.confidence))
            })
        return mirrored
    }
}
