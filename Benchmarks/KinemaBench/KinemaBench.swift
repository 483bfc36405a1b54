public import KinemaPose
public import ArgumentParser
import Foundation
import Kinema
import KinemaMedia

/// `kinema-bench`: the runs of the measuring scripts; each prints one JSON object.
@main
struct KinemaBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinema-bench", abstract: "Times parts of Kinema for the measuring scripts.",
        subcommands: [
            PartsCommand.self, ContoursCommand.self, MasksCommand.self, TrajectoriesCommand.self,
            ScreensCommand.self,
        ])

    static func main() async {
        // As in the command, so that times are comparable.
        HeapHandle.limit()
        await main(nil)
    }

    static func frames(of path: String) async throws -> VideoReader.AsyncFrames {
        try await VideoReader.read(try MediaInput(argument: path), isolation: .none)
    }

    static func write(_ result: some Encodable) throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(result) + Data("\n".utf8))
    }
}

extension ModelStore.Precision: ExpressibleByArgument {}
