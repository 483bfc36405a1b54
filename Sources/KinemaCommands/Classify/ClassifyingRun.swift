import Foundation
import Kinema

/// Judges one input from its first frame to its last.
struct ClassifyingRun {
    let model: HumanActionClassifier
    let interval: TimeInterval?
    /// Called with each prediction and its time as soon as it is made.
    var onPrediction: ((TimeInterval, ActionPrediction) throws -> Void)?
    private(set) var report: ClassifyReport

    init(source: String, model: HumanActionClassifier, interval: TimeInterval?) {
        self.model = model
        self.interval = interval
        report = ClassifyReport(source: source)
    }

    /// Judges a sequence found earlier.
    mutating func judge(_ sequence: PoseSequence) throws {
        var recognizer = ActionRecognizer(model, aspectRatio: 1, interval: interval)
        report.frames = sequence.count
        report.framesWithSomeone = Int((sequence.shareSeen * Double(sequence.count)).rounded())
        for (time, prediction) in recognizer.append(contentsOf: sequence) { try onPrediction?(time, prediction) }
        report.duration = sequence.duration
        report.segments = recognizer.segments()
    }

    /// Judges a video while it is read; an interrupted run keeps what it has.
    mutating func judge(_ reading: Reading, _ pipeline: PosePipeline, _ interruption: Interruption) async throws {
        let ratio = Double(reading.width) / Double(max(1, reading.height))
        var recognizer = ActionRecognizer(model, aspectRatio: ratio, interval: interval)
        var selector = ProminentPersonSelector()
        do {
            for try await element in pipeline(reading.frames) {
                let (frame, poses) = (element.feature.frame, element.feature.poses)
                report.frames += 1
                if !poses.isEmpty { report.framesWithSomeone += 1 }
                report.duration = element.id.rangeInSeconds.upperBound
                if let prediction = recognizer.append(selector.select(poses, at: frame.time), at: frame.time) {
                    try onPrediction?(frame.time, prediction)
                }
                Console.shared.progress(
                    report.frames, of: reading.frameEstimate, note: recognizer.prediction?.label ?? "")
                if interruption.isRaised { break }
            }
        } catch is CancellationError {}
        report.segments = recognizer.segments()
        let diagnostics = reading.conclude()
        report.live = reading.live
        Console.shared.endProgress()
        Console.shared.warn(diagnostics)
    }
}

/// What was done in an input.
struct ClassifyReport {
    var source: String
    var duration: TimeInterval = 0
    var frames = 0
    var framesWithSomeone = 0
    /// What became of a live source's frames; nil of files.
    var live: FrameTally?
    var segments: [ActionSegment] = []

    init(source: String) {
        self.source = source
    }
}
