public import KinemaPose
import Foundation
package import KinemaCore
public import KinemaMedia

/// Detects the poses of everyone in a stream of frames: `VideoReader` → body and hand tracker → `PoseSmoother`.
public struct PosePipeline: Sendable {
    /// The options for detecting bodies.
    public var options: BodyPoseOptions
    /// The model that detects bodies; `options` are BlazePose's.
    public var model = BodyModel.blazePose
    /// The device for inference.
    public var device = ModelStore.Device.cpu
    /// Whether to remove jitter from the joints; raw landmarks suit measurements.
    package var smooths: Bool
    /// The options for detecting hands; nil for no hands.
    package var hands: HandPoseOptions?
    /// Whether to detect bodies; hands alone take half the time.
    package var findsBodies = true
    /// The kind of input. A `file` is analysed in several parts at once if it is long enough.
    ///
    /// The model's output depends on where it saw the person before, so joints then differ within its noise.
    package var mode: RunningMode
    /// The number of parts of a file that are analysed at once in mode `file`; 1 for the whole file in one piece, nil
    /// for one part per core. Short files, and those without a list of key frames, are always read in one piece.
    public var jobs: Int?
    /// The length of a part in seconds; nil to choose one.
    package var partLength: Double?
    /// The folder that keeps analysed parts, and those that other processes analysed; nil to keep none.
    package var partFolder: URL?
    /// The only part to analyse, from 0: `partFile` gives it to other processes.
    package var onlyPart: Int?
    /// Whether the frames' pictures are needed; a file in parts is then decoded once more for them.
    package var needsPictures = true

    /// Creates a pipeline; by default it detects everyone's bodies, smooths them and reads files in parts.
    public init(
        options: BodyPoseOptions = BodyPoseOptions(), smooths: Bool = true, hands: HandPoseOptions? = nil,
        mode: RunningMode = .file
    ) {
        (self.mode, self.options, self.smooths, self.hands) = (mode, options, smooths, hands)
    }

    /// A pipeline that detects only hands.
    public static func handsOnly(_ options: HandPoseOptions = HandPoseOptions(), smooths: Bool = true) -> PosePipeline {
        var pipeline = PosePipeline(smooths: smooths, hands: options)
        pipeline.findsBodies = false
        return pipeline
    }

    package static var framesOnly: PosePipeline {
        var pipeline = PosePipeline(smooths: false, mode: .exact)
        pipeline.findsBodies = false
        return pipeline
    }

    /// Resolves an automatic choice of the model from some of the input's frames; returns what to report.
    package mutating func settle(on sample: [VideoFrame], file: String) throws -> [Diagnostic] {
        guard case .automatic(let other) = model else { return [] }
        let survey = try CrowdSurvey(of: sample, with: other, store: store)
        let isBetter = survey.isCrowd || sample.contains(where: \.isPicture)
        model = isBetter ? .chosen(other) : .blazePose
        let people = PlainText.counted(survey.people, "person", "people")
        return [
            Diagnostic(
                "model.chosen", "\(people) at once: analysed with \(model.name)", file: file)
        ]
    }

    /// How many parts of a file are analysed at once, if it is long enough.
    var workers: Int {
        guard mode == .file, device == .cpu, findsBodies || hands != nil else { return 1 }
        return jobs ?? (Parallelism.isOneOfSeveral ? 1 : ProcessInfo.processInfo.activeProcessorCount)
    }

    /// The number of workers to plan for: parts that are kept are the same on every machine.
    private var plannedWorkers: Int { mode == .file && device == .cpu && keepsParts ? 2 : workers }

    private var keepsParts: Bool { partFolder != nil || onlyPart != nil }

    private var plannedLength: Double? { partLength ?? (keepsParts ? PartPlan.usualLength : nil) }

    /// Whether a file of that length may be read in parts.
    func mayUseParts(of frames: VideoReader.AsyncFrames) -> Bool {
        plannedWorkers > 1 && frames.canBeParted
            && frames.duration >= (plannedLength ?? 2 * PartPlan.shortestLength)
    }

    /// The parts of a file; nil for one that is read whole.
    func plan(for frames: VideoReader.AsyncFrames) async -> PartPlan? {
        guard mayUseParts(of: frames) else { return nil }
        return PartPlan(
            duration: frames.duration, keyTimes: await frames.keyTimes(), workers: plannedWorkers,
            length: plannedLength, usual: needsPictures ? PartPlan.usualLength : PartPlan.longLength)
    }

    /// Analyses `onlyPart` of a file: JSON that `partFolder` accepts as `NUMBER.json`. If it lists no starts, the file
    /// is better read whole. Throws the reader's errors, and `invalidArgument` for a part that the file does not have.
    package func partFile(of frames: VideoReader.AsyncFrames) async throws -> [UInt8] {
        var pipeline = self
        if case .automatic = model {
            _ = try pipeline.settle(on: await frames.sample(at: CrowdSurvey.places), file: frames.url.path)
        }
        guard let part = onlyPart, let plan = await plan(for: frames) else { return try PartFile().bytes }
        guard plan.starts.indices.contains(part) else {
            throw KinemaError(
                .invalidArgument, "has \(plan.starts.count) parts, 0 to \(plan.starts.count - 1)", file: frames.url.path
            )
        }
        let analysis = PartAnalysis(frames, pipeline, plan)
        return try await withCheckedThrowingContinuation { waiting in
            Thread.start("kinema.part") {
                Parallelism.$isOneOfSeveral.withValue(true) {
                    waiting.resume(with: Result { try PartFile(part, of: analysis) { true }.bytes })
                }
            }
        }
    }

    /// The model store: all cores work on each inference, unless the task is one of several.
    var store: ModelStore { .store(on: device, mode: Parallelism.isOneOfSeveral ? .file : .exact) }

    /// Loads the models for an input that is read in one piece while it is being opened; the first frame reports errors.
    package func prepareModels(isLive: Bool) { if isLive || workers == 1 { prepareModels() } }

    func prepareModels() {
        if findsBodies { BodyTracker.prepare(model, options: options, store: store) }
        if let hands { HandPoseTracker.prepare(hands, store: store) }
    }

    /// The frames with their poses, in order.
    public func callAsFunction(_ frames: VideoReader.AsyncFrames) -> PosedFrames {
        PosedFrames(frames: frames, pipeline: self)
    }
}
