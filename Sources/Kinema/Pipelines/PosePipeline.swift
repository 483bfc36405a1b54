import Foundation
package import KinemaCore
public import KinemaMedia
public import KinemaVision

/// Detects the poses of everyone in a stream of frames: `VideoReader` → body and hand tracker → `PoseSmoother`.
public struct PosePipeline: Sendable {
    /// The options for detecting bodies.
    public var options: BodyPoseOptions
    /// The model that detects bodies; `options` are BlazePose's.
    public var model = BodyModel.blazePose
    /// The device for inference.
    public var device = ModelStore.Device.cpu
    /// Whether to remove jitter from the joints; raw landmarks suit measurements.
    public var smooths: Bool
    /// The options for detecting hands; nil for no hands.
    public var hands: HandPoseOptions?
    /// Whether to detect bodies; hands alone take half the time.
    public var findsBodies = true
    /// The kind of input. A `file` is analysed in several parts at once where it is long enough.
    ///
    /// What the model reads depends on where it saw the person before, so joints then differ by as much as its noise.
    public var mode: RunningMode
    /// The number of parts of a file that are analysed at once in mode `file`; 1 for the whole file in one piece, nil
    /// for one part per core. Short files, and those without a list of key frames, are always read in one piece.
    public var jobs: Int?
    /// The length of a part in seconds; nil to choose it.
    package var partLength: Double?
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

    /// Makes an automatic choice of the model by some of the input's frames; returns what to report.
    package mutating func settle(on sample: [VideoFrame], file: String) throws -> [Diagnostic] {
        guard case .automatic(let other) = model else { return [] }
        let survey = try CrowdSurvey(of: sample, with: other, store: store)
        let isBetter = survey.isCrowd || sample.contains(where: \.isPicture)
        model = isBetter ? .chosen(other) : .blazePose
        let people = PlainText.counted(survey.people, "person", "people")
        return [
            Diagnostic(
                "model.chosen", "\(people) at once: read with \(isBetter ? other.name : "blazepose")", file: file)
        ]
    }

    /// How many parts of a file are analysed at once, if it is long enough.
    var workers: Int {
        guard mode == .file, device == .cpu, findsBodies || hands != nil else { return 1 }
        return jobs ?? (Parallelism.isOneOfSeveral ? 1 : ProcessInfo.processInfo.activeProcessorCount)
    }

    /// The models: all cores work on each inference, unless the task is one of several.
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
