import ArgumentParser
import Foundation
import Kinema

/// `kinema bench-trajectories`: the processor time of finding flights, without decoding.
struct BenchTrajectoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-trajectories", abstract: "Times the search for flights in frames that are already decoded.",
        shouldDisplay: false)

    @Argument(help: "A video file.")
    var input: String

    @Option(help: "The number of frames, which are kept in memory.")
    var frames = 60

    func validate() throws {
        guard (10...600).contains(frames) else { throw ValidationError("--frames takes 10 to 600") }
    }

    func run() async throws {
        var decoded: [VideoFrame] = []
        for try await element in try await OpenedInput(input, isTimed: true).frames {
            decoded.append(element.feature)
            if decoded.count == frames { break }
        }
        guard let last = decoded.last else { throw KinemaError(.invalidArgument, "it has no frames", file: input) }
        // The fastest of five rounds, which other processes disturb least.
        var best = Double.infinity
        for _ in 0..<5 {
            let request = DetectTrajectoriesRequest(trajectoryLength: 5)
            let cost = try await ProcessorTime.cost {
                for frame in decoded { _ = try await request.perform(on: frame) }
            }
            best = min(best, cost.cpu / Double(decoded.count))
        }
        var json = JSONText()
        json.object { json in
            for (key, value) in [("width", last.width), ("height", last.height), ("frames", decoded.count)] {
                json.key(key)
                json.integer(value)
            }
            json.key("cpuMilliseconds")
            json.number(best * 1000, decimals: 4)
        }
        json.newline()
        try StandardOutput().write(json.bytes)
    }
}
