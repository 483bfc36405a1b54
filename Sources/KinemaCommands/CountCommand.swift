public import ArgumentParser
import Foundation
public import Kinema
import KinemaDraw

struct CountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Counts the repetitions of any exercise.",
        discussion: """
            Counts every repeated movement that returns to where it began; you need not name the exercise. INPUT may also be a pose \
            file, \(PoseFileOptionGroup.formats)
            """)

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var chart: PlotOptionGroup

    @Option(
        help: ArgumentHelp(
            "Write the running count as subtitles (.srt), which players show over the video.", valueName: "file"))
    var subtitles: String?

    @OptionGroup var body: BodyOptionGroup

    @Option(parsing: .upToNextOption, help: "Joints to ignore, by their names in Vision (leftWrist, root, …).")
    var ignoreJoints: [String] = []

    @Option(parsing: .upToNextOption, help: "Use only these joints, by their names in Vision.")
    var selectJoints: [String] = []

    @Option(help: "The people to count: everyone (all) or the most prominent person (prominent).")
    var people = PersonScope.prominent

    @Option(
        help: """
            How to count movements that alternate sides, such as lunges: left and right as one repetition (pairs), or each \
            side as one (each). By default this depends on the movement.
            """)
    var alternating: Alternation?

    @Option(
        help: ArgumentHelp(
            "Write why repetitions were counted or not: a chart (.svg or .png), or every hypothesis with its evidence "
                + "(.jsonl).", valueName: "file"))
    var explain: String?

    @Option(
        help: """
            What to expect of the movement: an exercise, so that what repeats is counted, or anything, so that only clear \
            sets are. By default exercise for a file, anything for a camera or stream.
            """)
    var expect: CountExpectation?

    @Option(
        help: ArgumentHelp(
            "A folder with weights in place of the built-in ones, as script/counting fit writes them.",
            valueName: "folder", visibility: .hidden))
    var weights: String?

    func validate() throws {
        if !isForFit { try requireEnding(explain, [".jsonl", ".svg", ".png"], "--explain") }
        try requireEnding(subtitles, [".srt"], "--subtitles")
        guard ignoreJoints.isEmpty || selectJoints.isEmpty else {
            throw ValidationError("--ignore-joints and --select-joints cannot be combined")
        }
        let known = Set(BodySkeleton.joints.map(\.rawValue))
        if let unknown = (ignoreJoints + selectJoints).first(where: { !known.contains($0) }) {
            throw ValidationError(
                "unknown joint \(unknown); the joints are \(known.sorted().joined(separator: ", "))")
        }
        guard JointChoice(ignored: ignoreJoints, selected: selectJoints).canCount else {
            throw ValidationError(
                "these joints are too few for counting: keep two that show the size of the body, such as leftHip and "
                    + "leftKnee, or both shoulders")
        }
    }

    func run() async throws {
        try await CountingWeights.$readsLive.withValue(!isForFit) {
            try await CountingWeights.$inUse.withValue(try chosenWeights) { try await count() }
        }
    }

    /// Whether only the evidence is wanted, by script/counting.
    private var isForFit: Bool { explain?.hasSuffix(".evidence") ?? false }

    private var chosenWeights: CountingWeights {
        get throws {
            guard let weights else { return .inUse }
            let texts = try CountingWeights.files.map { name in
                String(
                    decoding: try BoundedFile.read(URL(filePath: weights).appending(path: name), limit: 1 << 20),
                    as: UTF8.self)
            }
            guard let chosen = CountingWeights(texts: texts) else {
                throw KinemaError(
                    .unreadableInput, "does not hold weights for this counter; script/counting fit writes them",
                    file: weights)
            }
            return chosen
        }
    }

    private func count() async throws {
        try await Interruption.guarding { interruption in
            let input = try poseFile.choice(media, body)
            var configuration = CountAnalysis.Configuration()
            configuration.pipeline = try body.precisePipeline
            configuration.scope = people
            configuration.joints = JointChoice(ignored: ignoreJoints, selected: selectJoints).selector
            configuration.alternating = alternating
            configuration.expecting = expect ?? (media.choice.isLive ? .anything : .exercise)
            configuration.explains = explain != nil
            configuration.memory = chart.plot == nil ? .recent : .everything
            let outcome = try await media.run(
                CountAnalysis(configuration), over: input, outputs: [chart.plot, explain, subtitles], interruption
            ) { outcome, files in
                files.write { try chart.write(outcome.analysis.recorded, of: outcome.run) }
                files.write { try write(outcome.analysis, of: outcome.run) }
                files.write { try writeSubtitles(outcome.report.result, of: outcome.run) }
            }
            if outcome.run.framesWithDetections == 0, !interruption.isRaised {
                throw Console.shared.nobody(in: media.choice.source)
            }
        }
    }

    private func writeSubtitles(_ result: CountResult, of run: AnalysisRun) throws {
        guard let subtitles else { return }
        let text = result.subtitles(until: run.duration)
        try AtomicFile.write(Array(text.utf8), to: URL(filePath: subtitles))
    }

    private func write(_ analysis: CountAnalysis, of run: AnalysisRun) throws {
        guard let explain else { return }
        let (file, ending) = (URL(filePath: explain), explain.lowercased())
        if isForFit {
            // For script/counting: each stretch's numbers, after how many they are.
            let numbers = analysis.evidence.flatMap { [Float($0.count)] + $0 }
            try AtomicFile.write(
                numbers.flatMap { number in
                    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number.bitPattern >> $0) }
                }, to: file)
        } else if ending.hasSuffix(".jsonl") {
            try AtomicFile.write(Array(CountExplanation.lines(analysis.explanations).utf8), to: file)
        } else {
            try ExplanationChart(title: run.source, people: analysis.explanations, duration: run.duration).write(
                to: file)
        }
    }
}

extension PersonScope: ExpressibleByArgument {}

extension Alternation: ExpressibleByArgument {}

extension CountExpectation: ExpressibleByArgument {}

struct JointChoice: Sendable {
    let selector: JointsSelector?

    /// Ignores joints or keeps only some; with neither, uses all.
    init(ignored: [String] = [], selected: [String] = []) {
        if !ignored.isEmpty {
            selector = JointsSelector(ignoredJoints: ignored.map(JointKey.init(rawValue:)))
        } else if !selected.isEmpty {
            selector = JointsSelector(selectedJoints: selected.map(JointKey.init(rawValue:)))
        } else {
            selector = nil
        }
    }

    var canCount: Bool {
        let all = Pose(
            from: Dictionary(
                uniqueKeysWithValues: BodySkeleton.joints.map { ($0, JointPoint($0, location: .zero, confidence: 1)) }))
        let kept = (selector?.applied(to: all) ?? all).keypoints.filter { $0.value.confidence > 0 }
        return RepetitionCounter.canCount(joints: Set(kept.keys))
    }
}
