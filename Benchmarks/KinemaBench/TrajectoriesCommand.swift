import ArgumentParser
import Kinema

/// `kinema-bench trajectories`: the processor time of finding flights, without decoding.
struct TrajectoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories", abstract: "Times the search for flights in frames that are already decoded.")

    @Argument(help: "A video file.")
    var input: String

    @Option(help: "The number of frames, which are kept in memory.")
    var frames = 60

    private struct Cost: Encodable {
        let width: Int, height: Int, frames: Int, cpuMilliseconds: Double
    }

    func validate() throws {
        guard (10...600).contains(frames) else { throw ValidationError("--frames takes 10 to 600") }
    }

    func run() async throws {
        var decoded: [VideoFrame] = []
        for try await element in try await KinemaBench.frames(of: input) {
            decoded.append(element.feature)
            if decoded.count == frames { break }
        }
        guard let last = decoded.last else { throw KinemaError(.invalidArgument, "it has no frames", file: input) }
        let cost = try await ProcessorTime.fastest(decoded.count) {
            let request = DetectTrajectoriesRequest(trajectoryLength: 5)
            for frame in decoded { _ = try await request.perform(on: frame) }
        }
        try KinemaBench.write(
            Cost(width: last.width, height: last.height, frames: decoded.count, cpuMilliseconds: cost * 1000))
    }
}
