import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

struct HistoryExportAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export-all", abstract: "Exports the whole history to one zip file.",
        discussion: """
            The file contains all sessions with corrections, marks, notes and poses, and the classifiers and \
            exercises made in the studio. `kinema history import` and the studio's page read it back.
            """)

    @OptionGroup var history: HistoryOptionGroup

    @Argument(help: "The file to write.")
    var file: String

    @Flag(help: "Include the videos.")
    var videos = false

    func run() async throws {
        guard let store = try history.existing() else {
            throw Console.shared.nobody(in: history.url.path, "there is no history yet")
        }
        try OutputPlace.check(file)
        let place = URL(filePath: file)
        try await store.exportAll(to: place, withVideos: videos)
        try StandardOutput().line(place.relativePath)
    }
}
