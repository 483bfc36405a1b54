import Foundation
import Kinema
import KinemaDraw
import KinemaMedia
import KinemaToss

/// An analysis in the studio, with its results on the wire and in the history.
protocol LiveMode: Sendable {
    associatedtype Chosen: Analysis
    /// The library's own analysis, which the command runs too.
    var analysis: Chosen { get set }
    var subject: FramingCheck.Subject { get }
    /// The mode's own state; nil if only the framing counts.
    var state: SessionState? { get }
    var faults: [Int: Set<JointKey>] { get }

    mutating func apply(_ command: DrawingCommand)
    mutating func update()
    mutating func write(to json: inout JSONText)
    func summarise(_ session: inout StoredSession)
}

extension LiveMode {
    var subject: FramingCheck.Subject { .somebody }
    var state: SessionState? { nil }
    var faults: [Int: Set<JointKey>] { [:] }
    mutating func apply(_ command: DrawingCommand) {}
    mutating func update() {}
    mutating func write(to json: inout JSONText) {}
    func summarise(_ session: inout StoredSession) {}

    var pipeline: PosePipeline { analysis.pipeline }
    var layers: [OverlayLayer] { analysis.layers }
    var neededFrames: FrameSelection { analysis.framesToRead }

    mutating func take(_ seen: PosedFrame) throws -> [AnalysisEvent] {
        let events = try analysis.take(seen)
        update()
        return events
    }

    mutating func finish() -> [AnalysisEvent] { analysis.finish() }
}

extension StartRequest {
    var scope: PersonScope { people == .all ? .all : .prominent }
}

extension PosePipeline {
    /// Bodies of a live stream: no frame waits for the next.
    static func live(people: StartRequest.People, precision: ModelStore.Precision) -> PosePipeline {
        // Each person costs an inference in every frame; finding the prominent one among others takes few of them.
        let options = BodyPoseOptions(maximumPeople: people == .all ? 8 : 3, precision: precision)
        return PosePipeline(options: options, mode: .live)
    }

    /// Hands of a live stream, unsmoothed, since smoothing would delay the touch of the fingertips.
    static func liveHands(_ options: HandPoseOptions) -> PosePipeline {
        var pipeline = PosePipeline.handsOnly(options, smooths: false)
        pipeline.mode = .live
        return pipeline
    }
}
