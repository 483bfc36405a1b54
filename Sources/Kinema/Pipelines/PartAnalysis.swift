import KinemaVision
import Foundation
import KinemaCore
import KinemaMedia

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

/// Where a file is divided so that several cores can analyse it, in seconds from its first frame.
struct PartPlan: Sendable, Equatable {
    /// The starts of the parts, the first at 0; a part ends where the next one starts.
    let starts: [TimeInterval]

    /// The usual length of a part that is kept, or whose frames are drawn on: 20 s, so little work is lost or has to
    /// wait.
    static let usualLength: TimeInterval = 20
    /// The usual length of other parts: their overlap of a second then costs less than 2 %.
    static let longLength: TimeInterval = 60
    /// The shortest length of a part by default.
    static let shortestLength: TimeInterval = 4
    /// How far before its start a part is analysed, so that its people are already tracked when it starts.
    static let warmUp: TimeInterval = 1
    /// The same for a part that missed people: of those lying on a bench, some postures are found and some are not, so
    /// this is longer than a repetition.
    static let longWarmUp: TimeInterval = 6
    /// The longest time between two key frames: a part is decoded from the key frame before it. Encoders such as x264 put
    /// one in 250 frames, 50 s at 5 frames/s.
    static let longestGap: TimeInterval = 60

    /// The plan for a file of this many seconds; nil if it is better read whole.
    ///
    /// - Parameters:
    ///   - keyTimes: The times at which decoding can begin, increasing.
    ///   - workers: The number of parts analysed at once.
    ///   - length: The length of a part; nil for about `usual`, with the same number of parts for each worker.
    init?(
        duration: TimeInterval, keyTimes: [TimeInterval], workers: Int, length: TimeInterval? = nil,
        usual: TimeInterval = usualLength
    ) {
        let gaps = zip(keyTimes, keyTimes.dropFirst() + [duration]).map { $1 - $0 }
        guard workers > 1, duration.isFinite, let longest = gaps.max(), longest <= Self.longestGap else { return nil }
        let wanted = Int((duration / (length ?? usual)).rounded(.up))
        let count =
            length == nil
            ? min((wanted + workers - 1) / workers * workers, Int(duration / Self.shortestLength)) : wanted
        guard count > 1 else { return nil }
        starts = (0..<count).map { Double($0) * duration / Double(count) }
    }

    func begin(of part: Int, warmUp: TimeInterval = warmUp) -> TimeInterval { max(0, starts[part] - warmUp) }

    func end(of part: Int) -> TimeInterval { part + 1 < starts.count ? starts[part + 1] : .infinity }

    /// The times that frames of a part can have in a file of that length.
    func times(of part: Int, within duration: TimeInterval) -> ClosedRange<TimeInterval> {
        begin(of: part) - Self.longestGap...min(end(of: part), max(duration, starts[part])) + Self.longestGap
    }
}
