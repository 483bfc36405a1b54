import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

/// `kinema history export`: a session as a file.
struct HistoryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a session as a file: data, a chart, or its poses for other programs.",
        discussion: """
            json, jsonl, csv: what happened. svg, png: a chart. Where poses were kept: trc, mot (joint angles), \
            coco.json, openpose.zip, poses.jsonl, poses.csv. Several people make a zip of one file each.
            """)

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The session's id, or its beginning.")
    var id: String

    @Option(help: "The format; by default the one that the output's name ends in.")
    var `as`: SessionFormat?

    @Option(name: .shortAndLong, help: "The file to write, or - for standard output; by default named by the session.")
    var output: String?

    func validate() throws {
        guard format != nil else {
            throw ValidationError("say what to write: --as, or an --output whose name ends in one of the formats")
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
                let place = URL(filePath: output ?? file.name)
                try OutputPlace.check(place.path)
                try WholeFile.write(Array(file.bytes), to: place)
                try StandardOutput().line(place.relativePath)
            }
        }
    }

    /// The format asked for; the longest of those the name ends in.
    private var format: SessionFormat? {
        if let format = self.as { return format }
        guard let name = output?.lowercased() else { return nil }
        return SessionFormat.allCases.filter { name.hasSuffix("." + $0.rawValue) }
            .max { $0.rawValue.count < $1.rawValue.count }
    }
}

extension SessionFormat: ExpressibleByArgument {
    /// The names of the formats.
    public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}
