import ArgumentParser
import Foundation
import KinemaCommands
import Kinema

struct EvaluateClassifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify", abstract: "Measures the accuracy of action classification.",
        discussion: """
            DATA is the same as for kinema train. Without --classifier, this cross-validates: it trains repeatedly \
            without some of the clips and classifies these. It leaves out one person at a time if the table names \
            people, and a tenth of the clips otherwise. With --classifier, it evaluates that classifier.
            """)

    enum Left: String, ExpressibleByArgument, CaseIterable {
        case person, clip, tenth, block
    }

    @Argument(help: "A folder with a folder for each class, or a table of clips.")
    var data: String

    @Option(help: "Evaluate this classifier (from kinema train, or .onnx) instead of training.")
    var classifier: String?

    @OptionGroup var network: NetworkOptionGroup

    @Option(
        help: """
            What to leave out in each round: person, clip, tenth, or block (a fifth of each class, with adjacent file numbers).
            """)
    var leaveOut: Left?

    @Option(help: "Train with this many seeds, starting at --seed, and print the mean and the spread.")
    var seeds = 1

    @Option(help: "Also write the confusion matrix, as a table (.csv) or an image (.png, .jpg).")
    var confusion: [String] = []

    @OptionGroup var training: TrainingOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        try require(seeds, in: 1...100, "--seeds")
        guard training.seed <= Int.max - seeds else {
            throw ValidationError("--seed must be at most \(Int.max - seeds)")
        }
        for path in confusion where !ConfusionFile.endings.contains(URL(filePath: path).pathExtension.lowercased()) {
            throw ValidationError("--confusion writes .csv, .png or .jpg")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let clips = try LabelledClip.read(data)
            for path in confusion { try OutputPlace.check(path) }
            let model = try classifier.map { try network.classifier($0) }
            let isHand = model?.subject == .hand
            let reader = ClipReader(
                subject: isHand ? .hand : .body, joints: model?.joints,
                pipeline: isHand ? body.handPipeline : try body.pipeline, rate: training.sourceRate,
                orientation: training.orientation, timing: training.time.timing)
            let examples = try await reader.examples(clips, strict: training.strict, interruption)
            var report = ClassifierReport(clips: examples.count)
            if let model {
                report.evaluate(examples, by: model)
            } else {
                try crossValidate(examples, into: &report, interruption)
            }
            Console.shared.endProgress()
            var files = SideFiles()
            files.write { try report.write(results.format) }
            for path in confusion { files.write { try ConfusionFile.write(report.metrics, to: URL(filePath: path)) } }
            try files.conclude()
        }
    }

    private func crossValidate(
        _ examples: [ActionTrainer.Example], into report: inout ClassifierReport, _ interruption: Interruption
    ) throws {
        let hasPeople = examples.contains { $0.person != nil }
        let left = leaveOut ?? (hasPeople ? .person : .tenth)
        report.leavingOut = left.rawValue
        for seed in training.seed..<training.seed + seeds {
            var trainer = training.trainer
            trainer.randomSeed = seed
            let split: CrossValidationSplit =
                switch left {
                case .person: .person
                case .clip: .clip
                case .tenth: .folds(10)
                case .block: .blocks(5)
                }
            do {
                let predictions = try ActionCrossValidation(trainer, split: split).predictions(examples) { done, all in
                    Console.shared.progress(done, of: all, note: "cross-validating")
                    if interruption.isRaised { throw CancellationError() }
                }
                report.add(predictions, examples)
            } catch is CancellationError where seed > training.seed {
                // The report is of the seeds so far.
                return
            }
        }
        try report.time(training.trainer, examples)
    }
}
