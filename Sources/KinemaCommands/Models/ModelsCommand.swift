import ArgumentParser
import Foundation
import Kinema

struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "Lists, fetches and checks neural models.",
        subcommands: [ModelsListCommand.self, ModelsFetchCommand.self, ModelsCheckCommand.self],
        defaultSubcommand: ModelsListCommand.self)
}

struct ModelsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the models with their licence, size, accuracy, origin and checksum (default).")

    @Flag(help: "Measure how long each installed model takes for one frame or one person on this machine.")
    var bench = false

    @Option(help: "With --bench: the arithmetic, f32 or automatic.")
    var precision = ModelStore.Precision.f32

    @OptionGroup var results: FormatOptionGroup

    func run() throws {
        var models = ModelEntry.all
        if bench {
            for index in models.indices { try models[index].measure(precision) }
        }
        let output = StandardOutput()
        switch results.format {
        case .text: for model in models { try output.line(model.text) }
        case .csv:
            try output.line(ModelEntry.header)
            for model in models { try output.line(model.row) }
        case .json: try output.jsonLine { json in json.array { list in models.forEach { $0.write(&list) } } }
        case .jsonl: for model in models { try output.jsonLine { model.write(&$0) } }
        }
    }
}

struct ModelsFetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Fetches a known model from its publisher, or copies it from a file or folder.",
        discussion: """
            Connects only to the addresses that `kinema models` lists. Every file is checked by its SHA-256. To resume an \
            interrupted download, run the same command again.
            """)

    @Argument(help: "The model's name, as `kinema models` lists it.")
    var name: String

    @Option(help: "Copy the files from this file or folder instead of downloading them; their names do not matter.")
    var from: String?

    func run() async throws {
        guard let model = FetchableModel.named(name) else {
            let names = FetchableModel.all.map(\.manifest.name).joined(separator: ", ")
            throw KinemaError(
                .invalidArgument,
                "\(PlainText.prefix(PlainText.oneLine(name), bytes: PlainText.nameBytes)) cannot be fetched; use one of "
                    + "\(names), or describe any other model in a model.json (Documentation/models.md)")
        }
        let source = from.map { URL(filePath: $0) }
        let partner = model.manifest.detector.flatMap(FetchableModel.named)
        try await Interruption.guarding { interruption in
            for model in [partner, model].compactMap(\.self) {
                let folder = try ModelInstaller(model: model, interruption: interruption).install(from: source)
                try StandardOutput().line("\(model.manifest.name): installed in \(folder.path)")
            }
        }
        let option = model.manifest.kind == .detector ? "--detector" : "--model"
        try StandardOutput().line("use it with \(option) \(name)")
    }
}

struct ModelsCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Reports what a model file is and whether Kinema can use it.",
        discussion: "Exits with 65 for a model that Kinema cannot use.")

    @Argument(help: "An installed model's name, a model file (.onnx, .tflite, .xml), a model.json, or its folder.")
    var model: String

    func run() throws {
        let check = ModelCheck(model)
        let output = StandardOutput()
        for line in check.lines where !line.hasPrefix("problem") { try output.line(PlainText.oneLine(line)) }
        if let problem = check.problem { throw problem }
        try output.line("fits     use it with \(check.model?.manifest.kind == .detector ? "--detector" : "--model")")
    }
}
