import ArgumentParser
import Foundation
import Kinema

/// `kinema bench-parts`: the bare cost of decoding and of inference, to tell how near the whole is to the limit.
struct BenchPartsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-parts", abstract: "Times decoding alone and inference alone.", shouldDisplay: false)

    @Argument(help: "A video file.")
    var input: String

    @Option(help: "How many inferences are timed.")
    var inferences = 300

    @Flag(help: "Time the model of hands instead of the one of bodies.")
    var hands = false

    @Option(help: "f32 or automatic.")
    var precision = ModelStore.Precision.automatic

    @Option(help: "What standard output gets: text or json.")
    var format = OutputFormat.json

    func run() async throws {
        let reading = try await Reading(input)
        var frames = 0
        let decoding = try await ProcessorTime.cost {
            for try await _ in reading.frames { frames += 1 }
        }
        let bench = try InferenceBench(
            hands ? ModelCatalogue.handLandmarks : ModelCatalogue.bodyLandmarks, precision: precision)
        try await bench.run(20)
        let inference = try await ProcessorTime.cost { try await bench.run(inferences) }
        let decodeFrames = Double(max(1, frames))
        var json = JSONText()
        json.object { json in
            json.key("frames")
            json.integer(frames)
            for (key, value) in [
                ("decodeCPUms", decoding.cpu / decodeFrames), ("decodeWallms", decoding.wall / decodeFrames),
                ("inferenceCPUms", inference.cpu / Double(inferences)),
                ("inferenceWallms", inference.wall / Double(inferences)),
            ] {
                json.key(key)
                json.number(value * 1000, decimals: 4)
            }
            json.key("precision")
            json.string(bench.precision)
        }
        json.newline()
        try StandardOutput().write(json.bytes)
    }
}
