import ArgumentParser
import Foundation
import Kinema

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
                "\(PlainText.prefix(PlainText.oneLine(name), bytes: PlainText.nameBytes)) cannot be fetched; known are "
                    + "\(names); describe any other model in a model.json (Documentation/models.md)")
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
