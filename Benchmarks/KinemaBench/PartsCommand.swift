import KinemaPose
import ArgumentParser
import Kinema

/// `kinema-bench parts`: the bare cost of decoding and of inference, which limits the overall speed.
struct PartsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts", abstract: "Times decoding alone and inference alone.")

    @Argument(help: "A video file.")
    var input: String

    @Option(help: "The number of timed inferences.")
    var inferences = 300

    @Flag(help: "Time the hand model instead of the body model.")
    var hands = false

    @Option(help: "Time this model instead, and pose detection with it as a whole.")
    var model: String?

    @Option(help: "With --model: its detector.")
    var detector: String?

    @Option(help: "f32 or automatic.")
    var precision = ModelStore.Precision.automatic

    /// Milliseconds and uses per frame; absent if not measured.
    private struct Cost: Encodable {
        var frames = 0
        var wholeCPUms, wholeWallms, decodeCPUms, decodeWallms, inferenceCPUms, inferenceWallms: Double?
        var detectionCPUms, detectionWallms, inferences, detections: Double?
        var precision = ""
    }

    func run() async throws {
        if let model { try await KinemaBench.write(chosen(model)) } else { try await KinemaBench.write(builtIn()) }
    }

    private func builtIn() async throws -> Cost {
        var cost = Cost()
        try await decode(&cost)
        let bench = InferenceBench(
            model: try ModelStore.shared.model(
                hands ? ModelCatalogue.handLandmarks : ModelCatalogue.bodyLandmarks, precision: precision))
        try await infer(bench, &cost)
        return cost
    }

    /// A chosen model: the whole from decoding to poses after the start, then its parts alone.
    private func chosen(_ name: String) async throws -> Cost {
        let detector = try detector.map { try ChosenModel($0) }
        let options = try ChosenModelOptions(model: ChosenModel(name), detector: detector, precision: precision)
        var pipeline = PosePipeline()
        pipeline.model = try BodyModel(options.model, detector: options.detector, precision: precision)
        let store = ModelStore.store(on: .cpu, mode: .file)
        let pose = try store.model(options.model, precision: precision)
        let found = try options.detector.map { try store.model($0, precision: precision) }
        let before = (pose: pose.useCount, found: found?.useCount ?? 0)
        var cost = Cost()
        let reading = try await KinemaBench.frames(of: input)
        let whole = try await ProcessorTime.cost {
            for try await _ in pipeline(reading) { cost.frames += 1 }
        }
        let count = Double(max(1, cost.frames))
        (cost.wholeCPUms, cost.wholeWallms) = (whole.cpu / count * 1000, whole.wall / count * 1000)
        cost.inferences = Double(pose.useCount - before.pose) / count
        cost.detections = Double((found?.useCount ?? 0) - before.found) / count
        try await decode(&cost)
        try await infer(InferenceBench(model: pose), &cost)
        let search =
            if let found { try await InferenceBench(model: found).cost(inferences) } else { (cpu: 0.0, wall: 0.0) }
        (cost.detectionCPUms, cost.detectionWallms) = (search.cpu * 1000, search.wall * 1000)
        return cost
    }

    private func decode(_ cost: inout Cost) async throws {
        let reading = try await KinemaBench.frames(of: input)
        var frames = 0
        let decoding = try await ProcessorTime.cost {
            for try await _ in reading { frames += 1 }
        }
        cost.frames = frames
        let count = Double(max(1, frames))
        (cost.decodeCPUms, cost.decodeWallms) = (decoding.cpu / count * 1000, decoding.wall / count * 1000)
    }

    private func infer(_ bench: InferenceBench, _ cost: inout Cost) async throws {
        let inference = try await bench.cost(inferences)
        (cost.inferenceCPUms, cost.inferenceWallms) = (inference.cpu * 1000, inference.wall * 1000)
        cost.precision = bench.precision
    }
}
