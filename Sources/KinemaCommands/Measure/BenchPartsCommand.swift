import ArgumentParser
import Foundation
import Kinema
import KinemaCore
import KinemaVision

/// `kinema bench-parts`: the bare cost of decoding and of inference, which limits the speed of the whole.
struct BenchPartsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-parts", abstract: "Times decoding alone and inference alone.", shouldDisplay: false)

    @Argument(help: "A video file.")
    var input: String

    @Option(help: "The number of timed inferences.")
    var inferences = 300

    @Flag(help: "Time the hand model instead of the body model.")
    var hands = false

    @Option(help: "Time this model instead, and the whole of finding poses with it.")
    var model: String?

    @Option(help: "With --model: its detector.")
    var detector: String?

    @Option(help: "f32, automatic or int8.")
    var precision = ModelStore.Precision.automatic

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.json

    func run() async throws {
        if let model { return try await time(model) }
        let reading = try await OpenedInput(input, isTimed: true)
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

extension BenchPartsCommand {
    /// Times a chosen model: the whole from decoding to poses once it has begun, then its parts alone.
    private func time(_ name: String) async throws {
        let detector = try detector.map { try ChosenModel($0) }
        let options = try ChosenModelOptions(model: ChosenModel(name), detector: detector, precision: precision)
        var pipeline = PosePipeline()
        pipeline.model = try BodyModel(options.model, detector: options.detector, precision: precision)
        let store = ModelStore.store(on: .cpu, mode: .file)
        let pose = try store.model(options.model, precision: precision)
        let found = try options.detector.map { try store.model($0, precision: precision) }
        let before = (pose: pose.useCount, found: found?.useCount ?? 0)
        var frames = 0
        let reading = try await OpenedInput(input, isTimed: true)
        let whole = try await ProcessorTime.cost {
            for try await _ in pipeline(reading.frames) { frames += 1 }
        }
        let uses = (pose: pose.useCount - before.pose, found: (found?.useCount ?? 0) - before.found)
        let again = try await OpenedInput(input, isTimed: true)
        let decoding = try await ProcessorTime.cost { for try await _ in again.frames {} }
        let person = try await InferenceBench(pose).cost(inferences)
        let search = if let found { try await InferenceBench(found).cost(inferences) } else { (cpu: 0.0, wall: 0.0) }
        let count = Double(max(1, frames))
        var json = JSONText()
        json.object { json in
            json.key("frames")
            json.integer(frames)
            for (key, value) in [
                ("wholeCPUms", whole.cpu / count), ("wholeWallms", whole.wall / count),
                ("decodeCPUms", decoding.cpu / count), ("inferenceCPUms", person.cpu), ("inferenceWallms", person.wall),
                ("detectionCPUms", search.cpu), ("detectionWallms", search.wall),
            ] {
                json.key(key)
                json.number(value * 1000, decimals: 4)
            }
            for (key, value) in [("inferences", uses.pose), ("detections", uses.found)] {
                json.key(key)
                json.number(Double(value) / count, decimals: 4)
            }
            json.key("precision")
            json.string(InferenceBench(pose).precision)
        }
        json.newline()
        try StandardOutput().write(json.bytes)
    }
}

/// `kinema bench-registration`: the cost of measuring motion between frames, without decoding.
struct BenchRegistrationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-registration", abstract: "Times motion measurement between frames.",
        shouldDisplay: false)

    @Argument(help: "A video file.")
    var input: String

    @Option(help: "The number of frames.")
    var frames = 200

    func run() async throws {
        let request = TrackTranslationalImageRegistrationRequest()
        var stability = SceneStability()
        var (seconds, count, least, verdicts) = (0.0, 0, Float(1), [SceneStability.Verdict]())
        for try await element in try await OpenedInput(input, isTimed: true).frames {
            var found: ImageTranslationAlignmentObservation?
            // Measure only this frame's own work on this thread; decoders work on other frames at the same time.
            let thread = Self.threadTime()
            found = try await request.perform(on: element.feature)
            seconds += Self.threadTime() - thread
            count += 1
            if let found {
                least = min(least, found.confidence)
                verdicts.append(stability.update(found))
            }
            if count == frames { break }
        }
        var json = JSONText()
        json.object { json in
            json.key("frames")
            json.integer(count)
            json.key("CPUms")
            json.number(seconds / Double(max(1, count)) * 1000, decimals: 4)
            json.key("leastConfidence")
            json.number(Double(least), decimals: 4)
            json.key("stableShare")
            json.number(
                Double(verdicts.filter { $0 == .stable }.count) / Double(max(1, verdicts.count)), decimals: 4)
        }
        json.newline()
        try StandardOutput().write(json.bytes)
    }

    /// The processor time of the calling thread, in seconds.
    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The processor time used by this process.
enum ProcessorTime {
    /// The processor time of all threads and the wall-clock time, in seconds.
    static func cost(_ body: () async throws -> Void) async rethrows -> (cpu: Double, wall: Double) {
        let (start, clock) = (used(), ContinuousClock.now)
        try await body()
        return (used() - start, (ContinuousClock.now - clock) / .seconds(1))
    }

    private static func used() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}

/// Benchmarks the inference of a landmark model on one input.
struct InferenceBench: Sendable {
    private let model: CompiledModelHandle

    /// Compiles the model in the same way as the pipeline.
    init(_ description: ModelDescription, precision: ModelStore.Precision) throws {
        model = try ModelStore.shared.model(description, precision: precision)
    }

    /// Times a compiled model.
    init(_ model: CompiledModelHandle) { self.model = model }

    /// The cost of one inference, in seconds.
    func cost(_ count: Int) async throws -> (cpu: Double, wall: Double) {
        try await run(20)
        let all = try await ProcessorTime.cost { try await run(count) }
        return (all.cpu / Double(count), all.wall / Double(count))
    }

    /// The arithmetic precision in use, by OpenVINO's name.
    var precision: String { model.property("INFERENCE_PRECISION_HINT") }

    /// Runs the model `count` times, two at once as in the pipeline.
    func run(_ count: Int) async throws {
        try await withThrowingTaskGroup { group in
            for share in [count / 2, count - count / 2] {
                group.addTask {
                    try model.withRequest { request in
                        for _ in 0..<share { try request.infer() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
