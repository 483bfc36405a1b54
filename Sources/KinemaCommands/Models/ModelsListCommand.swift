import ArgumentParser
import Kinema

struct ModelsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the models with their licence, size, accuracy, origin and checksum (default).")

    @Flag(help: "Measure how long each installed model takes for one frame or one person on this machine.")
    var bench = false

    @Option(help: "With --bench: the arithmetic, f32, automatic or int8.")
    var precision = ModelStore.Precision.f32

    @OptionGroup var results: FormatOptionGroup<AnyFormat>

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
        case .json, .jsonl:
            var json = JSONText()
            if results.format == .json {
                json.array { list in models.forEach { $0.write(&list) } }
                json.newline()
            } else {
                for model in models {
                    model.write(&json)
                    json.newline()
                }
            }
            try output.write(json.bytes)
        }
    }
}
