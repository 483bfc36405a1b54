import ArgumentParser
import Foundation
import Kinema

/// `kinema models`: the neural models, their licences and shapes.
struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "Lists the models with their licence, origin, checksum, inputs and outputs.")

    @Option(help: "The format of the results on standard output.")
    var format = OutputFormat.text

    func run() throws {
        let output = StandardOutput()
        switch format {
        case .text: for model in ModelCatalogue.all { try output.line(text(model)) }
        case .csv:
            try output.line("name,file,licence,sha256,installed")
            for model in ModelCatalogue.all {
                try output.line("\(model.name),\(model.file),\(model.licence),\(model.sha256),\(path(model) != nil)")
            }
        case .json, .jsonl:
            var json = JSONText()
            if format == .json {
                json.array { list in ModelCatalogue.all.forEach { write($0, &list) } }
                json.newline()
            } else {
                for model in ModelCatalogue.all {
                    write(model, &json)
                    json.newline()
                }
            }
            try output.write(json.bytes)
        }
    }

    private func path(_ model: ModelDescription) -> String? {
        try? ModelStore.file(of: model).path
    }

    private func text(_ model: ModelDescription) -> String {
        func shape(_ tensor: ModelDescription.Tensor) -> String {
            "\(tensor.name) \(tensor.shape.map(String.init).joined(separator: "x")): \(tensor.meaning)"
        }
        return
            ([
                "\(model.name): \(model.purpose)",
                "  licence   \(model.licence)",
                "  origin    \(model.origin)",
                "  sha-256   \(model.sha256)",
                "  file      \(path(model) ?? "\(model.file) is not installed; run script/bootstrap")",
                "  input     \(shape(model.input))",
            ] + model.outputs.map { "  output    \(shape($0))" }).joined(separator: "\n")
    }

    private func write(_ model: ModelDescription, _ json: inout JSONText) {
        func tensor(_ tensor: ModelDescription.Tensor, _ json: inout JSONText) {
            json.object { entry in
                entry.key("name")
                entry.string(tensor.name)
                entry.key("shape")
                entry.array { sizes in tensor.shape.forEach { sizes.integer($0) } }
                entry.key("meaning")
                entry.string(tensor.meaning)
            }
        }
        json.object { json in
            for (key, value) in [
                ("name", model.name), ("purpose", model.purpose), ("file", model.file), ("licence", model.licence),
                ("origin", model.origin), ("sha256", model.sha256),
            ] {
                json.key(key)
                json.string(value)
            }
            json.key("path")
            if let path = path(model) { json.string(path) } else { json.null() }
            json.key("input")
            tensor(model.input, &json)
            json.key("outputs")
            json.array { list in model.outputs.forEach { tensor($0, &list) } }
        }
    }
}
