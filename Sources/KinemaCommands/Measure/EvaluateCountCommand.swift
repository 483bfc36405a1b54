import ArgumentParser
import Foundation
import Kinema

/// `kinema evaluate`: measures the accuracy of results against labels.
struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measures results against labels or against rendered truth.",
        subcommands: [
            EvaluateCountCommand.self, EvaluateCoachCommand.self, EvaluateRenderedCommand.self,
            EvaluateClassifyCommand.self, EvaluateTossCommand.self, EvaluateTrajectoriesCommand.self,
            EvaluateGestureCommand.self,
        ])
}

/// `kinema evaluate count LABELS.csv`: counts every labelled clip and prints the table.
struct EvaluateCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Counts every labelled clip and prints MAE, OBO and the exact share.",
        discussion: """
            LABELS is a table with the columns file and reps (or count). Files may be pose files as `kinema count` reads \
            them. The optional columns reps_low and reps_high give the \
            correct counts of a clip that begins or ends within a repetition; exercise is optional too. Files lie \
            beside the table. MAE is the mean error as a share of the label, OBO the share of clips counted to within \
            one, exact the share counted correctly. Brackets are 95 % confidence intervals, by a bootstrap over the \
            clips. With --varied each clip is counted again from the same poses: mirrored, backwards, slower and \
            quicker by a third, and from every second and every third frame. None of this changes the true count, and \
            the counter was not tuned on it.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @Flag(help: "Also count variations of each clip that leave the true count unchanged.")
    var varied = false

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "Output format: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func run() async throws {
        try await Interruption.guarding { interruption in
            let rows = try CountLabel.read(URL(filePath: labels))
            var score = CountingScore()
            var variations: [CountVariation: CountingScore] = [:]
            var writer = CountTable(format: format)
            try writer.begin()
            for (index, row) in rows.enumerated() where !interruption.isRaised {
                Console.shared.progress(index, of: rows.count, note: row.file)
                let runner = InputRunner(input: poseFile.choice(InputChoice(row.path)), showsProgress: false)
                var film: [PosedMoment] = []
                let outcome = try await runner.run(
                    CountAnalysis(try body.counting), interruption,
                    onFrame: { frame, _ in
                        if varied { film.append(PosedMoment(time: frame.frame.time, poses: frame.poses)) }
                    })
                let count = outcome.analysis.count
                if interruption.isRaised { break }
                score.add(row.clip(counted: count))
                try writer.row(row, counted: count, seconds: outcome.run.seconds)
                for variation in varied ? CountVariation.allCases : [] {
                    let varied = variation.applied(to: film).counted(aspectRatio: outcome.aspectRatio)
                    variations[variation, default: CountingScore()].add(row.clip(counted: varied))
                }
            }
            Console.shared.endProgress()
            try writer.end(score, variations)
        }
    }
}

/// A variation of a recording that leaves its true count unchanged.
///
/// A counter that was tuned on some recordings proves little by counting those correctly. Their variations are
/// recordings that it was not tuned on, although they show the same people.
enum CountVariation: String, CaseIterable, Sendable {
    case mirrored, backwards, slower, quicker
    case halfRate = "half_rate"
    case thirdRate = "third_rate"

    /// The factor for slower and quicker: a clear difference that most exercises can still have.
    private static let tempo = 1.35

    /// Applies the variation to the poses of a recording, which are in order of time.
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

/// The poses of everyone in view at a time.
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
    /// The body mirrored, with left and right swapped.
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

extension JointKey {
    /// The joint on the other side of the body.
    fileprivate var mirrored: JointKey {
        let name = rawValue
        if name.hasPrefix("left") { return JointKey(rawValue: "right" + name.dropFirst(4)) }
        return name.hasPrefix("right") ? JointKey(rawValue: "left" + name.dropFirst(5)) : self
    }
}
