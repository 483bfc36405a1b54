import Foundation
import Kinema
import KinemaDraw

/// What a command makes of a film, frame by frame, and what it shows of it.
protocol FilmAnalysis {
    /// Takes the next frame with its poses.
    mutating func take(_ element: TemporalFeature<PosedFrame>) async throws
    /// What stands on the frame taken last.
    var hud: HUD { get }
    /// The chart under it.
    var strip: StripChart? { get }
    /// The joints to show red, by the person's number.
    var faults: [Int: Set<JointKey>] { get }
    /// What hands drew in the air, when that is what is looked for.
    var gestures: GestureOverlay? { get }
    /// The game of bean-bag toss, when that is what is watched.
    var toss: TossOverlay? { get }
    /// What flies through the picture, when that is what is looked for.
    var trajectories: TrajectoryOverlay? { get }
    /// What stands beside the progress bar.
    var note: String { get }
}

extension FilmAnalysis {
    var gestures: GestureOverlay? { nil }
    var toss: TossOverlay? { nil }
    var trajectories: TrajectoryOverlay? { nil }
}

/// Reads an input from its first frame to its last, has it analysed, and writes the overlay beside.
struct FilmRun {
    let reading: Reading
    let pipeline: PosePipeline
    var showsProgress = true
    private let overlay: OverlayWriter?

    /// How a run went.
    struct Outcome: Sendable {
        var frames = 0
        var framesWithSomeone = 0
        /// What became of a live source's frames; nil of files.
        var live: FrameTally?
        /// The length of the input, seconds.
        var duration: TimeInterval = 0
        /// How long the analysis took, seconds.
        var seconds: TimeInterval = 0
    }

    /// Opens the overlay; `outputs` are all files the command writes, none of which may be the input.
    init(_ reading: Reading, pipeline: PosePipeline, overlay: String?, outputs: [String?]) throws {
        try reading.refuse(outputs: ([overlay] + outputs).compactMap(\.self))
        for output in outputs.compactMap(\.self) { try reading.refuse(unwritable: output) }
        self.reading = reading
        self.pipeline = pipeline
        self.overlay = try overlay.map { try OverlayWriter(path: $0, timescale: reading.frames.timescale) }
    }

    /// Feeds every frame to the analysis; an interrupted run returns what it has.
    func frames(to analysis: inout some FilmAnalysis, _ interruption: Interruption?) async throws -> Outcome {
        var outcome = Outcome()
        let started = ContinuousClock.now
        do {
            for try await element in pipeline(reading.frames) {
                outcome.frames += 1
                outcome.duration = element.id.rangeInSeconds.upperBound
                let (poses, hands) = (element.feature.poses, element.feature.hands)
                if !poses.isEmpty || !hands.isEmpty { outcome.framesWithSomeone += 1 }
                try await analysis.take(element)
                try await overlay?.add(
                    element.feature.frame, poses: poses, hands: hands.map(\.pose), gestures: analysis.gestures,
                    trajectories: analysis.trajectories, toss: analysis.toss, hud: analysis.hud, strip: analysis.strip,
                    faults: analysis.faults)
                if showsProgress {
                    Console.shared.progress(outcome.frames, of: reading.frameEstimate, note: analysis.note)
                }
                if interruption?.isRaised == true { break }
            }
        } catch is CancellationError {}
        reading.stop()
        outcome.live = reading.live
        outcome.seconds = (ContinuousClock.now - started) / .seconds(1)
        try await overlay?.finish()
        return outcome
    }
}
