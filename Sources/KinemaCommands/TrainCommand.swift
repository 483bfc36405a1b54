package import ArgumentParser
import Foundation
package import Kinema

struct TrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train", abstract: "Trains an action classifier on labelled clips.",
        discussion: """
            DATA is a folder that contains one folder of clips per class, or a table (.csv) with the columns file and label, \
            and optionally start, end (in seconds) and person; files are in the table's folder. A clip is a video or a \
            stored pose sequence as kinema count reads it (.jsonl, .csv, .npy, .json, …). One that cannot be read is \
            skipped with a warning. With --hands the clips show one hand: stored sequences are lines of \
            kinema pose --hands --no-bodies --format jsonl, or 21 joints per frame. Each class needs at least two clips. \
            Training holds out each person in turn, or each clip if people are unknown, and uses the result to choose whether to mirror clips, \
            how closely to fit postures, and how much posture counts.
            """)

    @Argument(help: "A folder with one folder of clips per class, or a table of clips (.csv).")
    var data: String

    @Option(name: .shortAndLong, help: "The file to write the classifier to.")
    var output: String

    @Flag(help: "Learn the actions of a hand instead of those of a body.")
    var hands = false

    @Option(
        help: ArgumentHelp(
            "Write a learning report with the confusion matrix: a page (.html), or a folder for the page and its image.",
            valueName: "file.html|folder"))
    var report: String?

    @Option(help: ArgumentHelp("Write the classifier in ONNX too, for other programs.", valueName: "file.onnx"))
    var export: String?

    @OptionGroup var training: TrainingOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func validate() throws { try requireEnding(export, [".onnx"], "--export") }

    func run() async throws {
        try await Interruption.guarding { interruption in
            if hands { try body.refuseBodies("leave out --hands, or the option") }
            let clips = try LabelledClip.read(data)
            let target = URL(filePath: output)
            try OutputPlace.check(output)
            if let export { try OutputPlace.check(export) }
            if let report, LearningReport.isPage(report) { try OutputPlace.check(report) }
            let reader = ClipReader(
                subject: hands ? .hand : .body, pipeline: hands ? body.handPipeline : try body.pipeline,
                rate: training.sourceRate, orientation: training.orientation, timing: training.time.timing)
            let examples = try await reader.examples(clips, strict: training.strict, interruption)
            let diagnostics = DiagnosticCollector()
            let started = ContinuousClock.now
            let classifier = try training.trainer.train(examples, diagnostics: diagnostics) { event in
                Console.shared.progress(event.itemCount, of: event.totalItemCount, note: "learning")
            }
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            Console.shared.endProgress()
            let codes = ["training.nobody", "training.long"]
            if training.strict, let dropped = diagnostics.diagnostics.first(where: { codes.contains($0.code) }) {
                throw KinemaError(.unreadableInput, dropped.message, file: dropped.file)
            }
            Console.shared.warn(diagnostics.diagnostics)
            var files = SideFiles()
            files.write { try classifier.write(to: target) }
            files.write { try write(classifier, seconds: seconds) }
            if let export { files.write { try classifier.writeONNX(to: URL(filePath: export)) } }
            if let report { files.write { try LearningReport(classifier: classifier).write(to: report) } }
            try files.conclude()
        }
    }

    private func write(_ classifier: HumanActionClassifier, seconds: Double) throws {
        switch results.format {
        case .text: try StandardOutput().line(text(of: classifier, seconds: seconds))
        case .csv:
            let rows = classifier.classes.map { [$0, String(classifier.summary.clips[$0] ?? 0)] }
            try StandardOutput().write(Array(DelimitedText.table([["class", "clips"]] + rows).utf8))
        case .json, .jsonl: try StandardOutput().jsonLine { $0.trained(classifier, seconds: seconds) }
        }
    }

    private func text(of classifier: HumanActionClassifier, seconds: Double) -> String {
        let summary = classifier.summary
        let clips = summary.clips.values.reduce(0, +)
        var lines = [
            "\(PlainText.oneLine(output)): \(PlainText.counted(classifier.classes.count, "class", "classes")) from "
                + "\(PlainText.counted(clips, "clip"))\(classifier.subject == .hand ? " of hands" : "") (\(PlainText.counted(summary.windows, "window"))), "
                + String(format: "trained in %.2f s", seconds)
        ]
        lines += classifier.classes.map {
            "  \(PlainText.oneLine($0)): \(PlainText.counted(summary.clips[$0] ?? 0, "clip"))"
        }
        if let accuracy = summary.heldOutClipAccuracy {
            lines.append(
                String(format: "held-out accuracy: %.1f %% of the clips, ", accuracy * 100)
                    + String(format: "%.1f %% of the windows", (summary.heldOutWindowAccuracy ?? 0) * 100))
        }
        if summary.isMirrored == false, training.trainer.augmentationOptions.contains(.horizontalFlip) {
            lines.append("left and right mean different things: mirrored clips lowered the accuracy and are not learnt")
        }
        if let share = summary.postureShare, share > 0 {
            lines.append("posture contributes \(Int((share * 100).rounded())) % of the score, movement the rest")
        }
        return lines.joined(separator: "\n")
    }
}

extension JSONText {
    fileprivate mutating func trained(_ classifier: HumanActionClassifier, seconds: Double) {
        let summary = classifier.summary
        object { json in
            json.field("subject", classifier.subject.rawValue)
            json.field("classes", strings: classifier.classes)
            json.object("clips") { counts in
                for label in classifier.classes {
                    counts.field(label, summary.clips[label] ?? 0)
                }
            }
            json.field("windows", summary.windows)
            json.field("window", classifier.predictionWindowSize)
            json.field("rate", classifier.targetFrameRate)
            json.field("seconds", seconds, decimals: 3)
            json.field("accuracy", summary.heldOutClipAccuracy)
            json.field("mirrored", summary.isMirrored ?? false)
            json.field("postureShare", summary.postureShare ?? 0)
            json.array("confusion") { rows in
                for row in summary.confusion ?? [] { rows.array { cells in row.forEach { cells.integer($0) } } }
            }
            json.objects("rounds", summary.rounds ?? []) { json, round in
                json.field("name", round.name)
                json.field("accuracy", round.accuracy)
                json.field("loss", round.loss)
                json.field("taken", round.isTaken)
            }
        }
    }
}

/// The options for training, of `train` and `evaluate classify`.
package struct TrainingOptionGroup: ParsableArguments {
    package init() {}

    @Option(help: "The number of frames in the classifier's window.")
    var window = 60

    @Option(help: "Frames per second of the classifier; clips of other rates are resampled.")
    var rate = 30.0

    @Option(help: "Frames per second of stored sequences without times (.csv, .npy, .json).")
    package var sourceRate = 30.0

    @Option(help: TurnOptionGroup.rotation)
    var rotate: TurnOptionGroup.Rotation?

    @OptionGroup package var time: TimeOptionGroup

    @Flag(help: "Also learn each clip mirrored, even if that does not help; the same as mirror in --augment.")
    var mirror = false

    @Option(
        help: ArgumentHelp(
            """
            The variations of each window to learn as well: none, or some of mirror, stretch (in time), rotation, scale, \
            jitter, joints (some dropped) and frames (some dropped), separated by commas. (default: \
            mirror,stretch,rotation,scale,joints; mirror only if it classifies more of the held-out clips correctly)
            """, valueName: "kinds"))
    var augment: String?

    @Option(
        help: ArgumentHelp(
            """
            What to hold out for choosing and measuring: auto (each person in turn, or each clip if people are unknown), none, \
            or a share of the people from 0.05 to 0.5. The classifier itself learns from all clips.
            """, valueName: "auto|none|share"))
    var validation = "auto"

    @Flag(help: "Fail on a clip that cannot be read or shows no person, instead of skipping it with a warning.")
    package var strict = false

    @Option(help: "The random seed; the same seed gives the same classifier.")
    package var seed = 0

    package var orientation: PixelOrientation { PixelOrientation(degreesClockwise: rotate?.rawValue ?? 0) }

    /// The kinds of variation by their names in the command.
    static let kinds: [(name: String, option: AugmentationOptions)] = [
        ("mirror", .horizontalFlip), ("stretch", .interpolateFrames), ("rotation", .rotate), ("scale", .scale),
        ("jitter", .jitter), ("joints", .dropJoints), ("frames", .dropFrames),
    ]

    private var chosenKinds: AugmentationOptions? {
        guard let augment else { return .standard }
        guard augment != "none" else { return [] }
        var chosen: AugmentationOptions = []
        for name in augment.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = Self.kinds.first(where: { $0.name == name }) else { return nil }
            chosen.insert(kind.option)
        }
        return chosen
    }

    private var chosenValidation: ActionValidation? {
        switch validation {
        case "auto": .automatic
        case "none": ActionValidation.none
        default: Double(validation).flatMap { (0.05...0.5).contains($0) ? .split($0) : nil }
        }
    }

    package var trainer: ActionTrainer {
        var trainer = ActionTrainer()
        trainer.predictionWindowSize = window
        trainer.targetFrameRate = rate
        trainer.augmentationOptions = (chosenKinds ?? .standard).union(mirror ? .horizontalFlip : [])
        trainer.mirrorsOnlyIfBetter = !mirror && augment == nil
        trainer.validation = chosenValidation ?? .automatic
        trainer.randomSeed = seed
        return trainer
    }

    package func validate() throws {
        try require(window, in: 4...10_000, "--window")
        guard (1...1000).contains(rate), (1...1000).contains(sourceRate) else {
            throw ValidationError("--rate and --source-rate must be 1 to 1000")
        }
        guard chosenKinds != nil else {
            throw ValidationError("--augment must be none, or some of \(Self.kinds.map(\.name).joined(separator: ","))")
        }
        guard chosenValidation != nil else { throw ValidationError("--validation must be auto, none or 0.05 to 0.5") }
    }
}
