import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

struct HistoryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Exports a session to a file: data, a chart, or its poses.",
        discussion: """
            json, jsonl and csv contain the results, svg and png a chart. Sessions with saved poses also export as trc, mot \
            (joint angles), coco.json, openpose.zip, poses.jsonl and poses.csv. For several people, trc and mot come as \
            a zip with one file each. Sessions that were corrected or marked in the studio also export as labels.csv and, \
            with saved poses, as labels.zip: unpacked, `kinema evaluate count labels.csv` and `kinema train marks.csv` \
            read them directly.
            """)

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The session's id, or a unique prefix of it.")
    var id: String

    @Option(help: "The format. (default: from the name of --output)")
    var `as`: SessionFormat?

    @Option(
        name: .shortAndLong, help: "The file to write, or - for standard output. (default: named after the session)")
    var output: String?

    func validate() throws {
        guard format != nil else {
            throw ValidationError("no format is given; use --as, or an --output that ends in a format")
        }
    }

    func run() async throws {
        guard let format else { return }
        let (store, ids) = try await history.ids([id])
        for id in ids {
            guard let file = try await store.export(id, as: format) else { continue }
            Console.shared.warn(file.notes)
            if output == "-" {
                try StandardOutput().write(Array(file.bytes))
            } else {
                try OutputPlace.check(output ?? file.name)
                let place = URL(filePath: output ?? file.name)
                try AtomicFile.write(Array(file.bytes), to: place)
                try StandardOutput().line(place.relativePath)
            }
        }
    }

    private var format: SessionFormat? {
        if let format = self.as { return format }
        guard let name = output?.lowercased() else { return nil }
        return SessionFormat.allCases.filter { name.hasSuffix("." + $0.rawValue) }
            .max { $0.rawValue.count < $1.rawValue.count }
    }
}

extension SessionFormat: ExpressibleByArgument {}
