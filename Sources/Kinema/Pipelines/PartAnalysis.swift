import Foundation
import KinemaCore
import KinemaMedia
import KinemaVision

/// Analyses a part of a file with its own decoder.
struct PartAnalysis: Sendable {
    let frames: VideoReader.AsyncFrames
    let pipeline: PosePipeline
    let plan: PartPlan

    init(_ frames: VideoReader.AsyncFrames, _ pipeline: PosePipeline, _ plan: PartPlan) {
        (self.frames, self.plan) = (frames, plan)
        var pipeline = pipeline
        (pipeline.mode, pipeline.smooths) = (.exact, false)
        self.pipeline = pipeline
    }

    /// Sends the elements of a part, or of everything from its start, until `send` returns false. A part whose decoder was
    /// killed is read once more, and continues where it ended.
    func run(
        _ part: Int, withRest: Bool = false, warmUp: TimeInterval = PartPlan.warmUp, send: (PartElement) -> Bool
    ) throws {
        var sent = 0
        do {
            try runOnce(part, withRest: withRest, warmUp: warmUp) { element in
                sent += 1
                return send(element)
            }
        } catch let error as KinemaError
            where !withRest && error.code == .unreadableInput && error.message != PartReader.irregular
        {
            var known = sent
            try runOnce(part, withRest: withRest, warmUp: warmUp) { element in
                known -= 1
                return known >= 0 || send(element)
            }
        }
    }

    private func runOnce(
        _ part: Int, withRest: Bool, warmUp: TimeInterval, send: (PartElement) -> Bool
    ) throws {
        let end = withRest ? .infinity : plan.end(of: part)
        let reader = try frames.part(
            from: plan.begin(of: part, warmUp: warmUp), isStrict: !withRest, isReported: !pipeline.needsPictures)
        var tracker = PoseTracker(pipeline)
        var greatest = 0
        while let frame = try reader.next(), frame.time < end - 1e-9 {
            let posed = try tracker.track(frame)
            let bare = VideoFrame(width: frame.width, height: frame.height, id: frame.id)
            let element = PartFrame(
                posed: PosedFrame(frame: bare, poses: posed.poses, hands: posed.hands), shot: tracker.shot,
                cameraMotion: tracker.cameraMotion, newcomers: tracker.newcomers(after: greatest))
            greatest = max(greatest, posed.poses.compactMap(\.id).max() ?? 0)
            guard send(.frame(element)) else { return }
        }
        _ = send(.end(tracker.people))
    }
}
