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
        let decoding = try await Self.cost {
            for try await _ in reading.frames { frames += 1 }
        }
        let bench = try InferenceBench(
            hands ? ModelCatalogue.handLandmarks : ModelCatalogue.bodyLandmarks, precision: precision)
        try await bench.run(20)
        let inference = try await Self.cost { try await bench.run(inferences) }
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

    /// Seconds of processor time of all threads, and on the clock.
    private static func cost(_ body: () async throws -> Void) async rethrows -> (cpu: Double, wall: Double) {
        let (start, clock) = (processorTime(), ContinuousClock.now)
        try await body()
        return (processorTime() - start, (ContinuousClock.now - clock) / .seconds(1))
    }

    private static func processorTime() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
