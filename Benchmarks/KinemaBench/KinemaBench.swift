public import ArgumentParser
import Foundation
import Kinema
import KinemaMedia
public import KinemaVision

/// `kinema-bench`: what only the measuring scripts run, one JSON object per run.
@main
struct KinemaBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinema-bench", abstract: "Times parts of Kinema for the measuring scripts.",
        subcommands: [
            PartsCommand.self, ContoursCommand.self, TrajectoriesCommand.self, LandmarkInputsCommand.self,
        ])

    static func main() async {
        // As in the command, so that times are comparable.
        HeapHandle.limit()
        await main(nil)
    }

    /// The frames of a file, decoded in this process, where their time is counted.
    static func frames(of path: String) async throws -> VideoReader.AsyncFrames {
        try await VideoReader.read(try MediaInput(argument: path), isolation: .none)
    }

    /// Writes a result to standard output as a line of JSON.
    static func write(_ result: some Encodable) throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(result) + Data("\n".utf8))
    }
}

extension ModelStore.Precision: ExpressibleByArgument {}
