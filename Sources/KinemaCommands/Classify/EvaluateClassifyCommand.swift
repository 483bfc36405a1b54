import ArgumentParser
import Foundation
import Kinema

/// `kinema evaluate classify DATA`: how often actions are named right, by clips that were not learnt from.
struct EvaluateClassifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify", abstract: "Measures how often actions are named right.",
        discussion: """
            DATA is what kinema train takes. Without --classifier, classifiers are trained with some clips left out in \
            turn, and those are judged: everyone in turn where the table names people, else a tenth of the clips. With \
            --classifier that one is judged.
            """)

    /// What is left out in turn.
    enum Left: String, ExpressibleByArgument, CaseIterable {
        case person, clip, tenth
    }

    @Argument(help: "A folder with a folder for each class, or a table of clips.")
    var data: String

    @Option(help: "Judge this classifier instead of training.")
    var classifier: String?

    @Option(help: "What is left out in turn: person, clip or tenth.")
    var leaveOut: Left?

    @Option(help: "Train with so many seeds, from --seed on, and tell mean and spread.")
    var seeds = 1

    @Option(help: "Also write the confusion matrix, as a table (.csv) or a picture (.png, .jpg).")
    var confusion: [String] = []

    @OptionGroup var training: TrainingOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text, json or csv.")
    var format = OutputFormat.text

    func validate() throws {
        guard (1...100).contains(seeds) else { throw ValidationError("--seeds takes 1 to 100") }
        guard training.seed <= Int.max - seeds else { throw ValidationError("--seed is too large for so many seeds") }
        guard format != .jsonl else { throw ValidationError("--format takes text, json or csv here") }
        for path in confusion where !ConfusionFile.endings.contains(URL(filePath: path).pathExtension.lowercased()) {
            throw ValidationError("--confusion writes .csv, .png or .jpg")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let clips = try LabelledClip.read(data)
            for path in confusion { try OutputPlace.check(path) }
            let model = try classifier.map { try HumanActionClassifier(contentsOf: URL(filePath: $0)) }
            let reader = ClipReader(pipeline: body.pipeline, rate: training.sourceRate)
            let examples = try await reader.examples(clips, interruption)
            var report = ClassifierReport(data: data, clips: examples.count)
            if let model {
                report.judge(examples, by: model)
            } else {
                try crossValidate(examples, into: &report, interruption)
            }
            Console.shared.endProgress()
            try report.write(format)
            for path in confusion { try ConfusionFile.write(report.metrics, to: URL(filePath: path)) }
        }
    }

    private func crossValidate(
        _ examples: [ActionTrainer.Example], into report: inout ClassifierReport, _ interruption: Interruption
    ) throws {
        let known = examples.contains { $0.person != nil }
        let left = leaveOut ?? (known ? .person : .tenth)
        report.leavingOut = left.rawValue
        for seed in training.seed..<training.seed + seeds {
            var trainer = training.trainer
            trainer.randomSeed = seed
            let rule: LeavingOut =
                switch left {
                case .person: .person
                case .clip: .clip
                case .tenth: .parts(10)
                }
            let verdicts = try ActionCrossValidation(trainer, leavingOut: rule).verdicts(examples) { done, all in
                Console.shared.progress(done, of: all, note: "learning without some")
                if interruption.isRaised { throw CancellationError() }
            }
            report.add(verdicts, examples)
        }
        try report.time(training.trainer, examples)
    }
}
