import Foundation
import KinemaCore
public import KinemaDraw
package import KinemaMedia

/// Detects everyone's body and hands, and sums their time in view.
///
/// ```swift
/// var analysis = PoseAnalysis(pipeline: PosePipeline(hands: HandPoseOptions()))
/// for try await element in analysis.pipeline(try await VideoReader.read(contentsOf: url)) {
///     for pose in element.feature.poses { print(pose.id ?? 0, pose[.nose].location) }
///     _ = analysis.take(element.feature)
/// }
/// print(analysis.result.people.map(\.frames), analysis.result.hands.count)
/// ```
public struct PoseAnalysis: Analysis, PoseOnlyAnalysis {
    /// The pipeline that detects people and hands.
    public var pipeline: PosePipeline
    private var people = Sightings()
    private var hands = Sightings()
    private var sides: [Int: [HumanHandPoseObservation.Chirality: Int]] = [:]
    private var newest: PosedFrame?

    /// Creates an analysis that has not processed any frames.
    public init(pipeline: PosePipeline = PosePipeline()) { self.pipeline = pipeline }

    /// Processes the next frame. Poses are not events; they are in the frame itself.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        newest = frame
        let range = frame.frame.id.rangeInSeconds
        people.add(frame.poses, range)
        hands.add(frame.hands.map(\.pose), range)
        for hand in frame.hands {
            if let side = hand.chirality { sides[hand.pose.id ?? 0, default: [:]][side, default: 0] += 1 }
        }
        return []
    }

    /// Ends the stream.
    public mutating func finish() -> [AnalysisEvent] { [] }

    /// The detected people and hands, with their time in view.
    public var result: PoseResult {
        PoseResult(
            people: people.all { _ in nil },
            hands: hands.all { id in sides[id]?.max { $0.value < $1.value }?.key.rawValue })
    }

    /// Skeletons and hands.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        return [.skeletons(newest.poses), .hands(newest.hands.map(\.pose))]
    }

    /// The number of people in view, in words.
    public var summary: String { PlainText.counted(newest?.poses.count ?? 0, "person", "people") }
}

private struct Sightings: Sendable {
    private var byID: [Int: (frames: Int, first: TimeInterval, last: TimeInterval, confidence: Double)] = [:]

    mutating func add(_ poses: [Pose], _ range: Range<TimeInterval>) {
        for pose in poses {
            let id = pose.id ?? 0
            var sighting = byID[id] ?? (0, range.lowerBound, range.lowerBound, 0)
            sighting.frames += 1
            sighting.last = range.upperBound
            sighting.confidence += Double(pose.confidence)
            byID[id] = sighting
        }
    }

    func all(_ side: (Int) -> String?) -> [PoseResult.Sighting] {
        byID.sorted { $0.key < $1.key }.map { id, one in
            PoseResult.Sighting(
                id: id, hand: side(id), frames: one.frames, start: one.first.rounded(to: 4),
                end: one.last.rounded(to: 4), confidence: (one.confidence / Double(one.frames)).rounded(to: 4))
        }
    }
}

/// Everyone who was detected, and for how long.
public struct PoseResult: AnalysisResult, Hashable {
    /// One person or hand.
    public struct Sighting: Codable, Sendable, Hashable {
        /// Its number.
        public var id: Int
        /// For a hand, left or right.
        public var hand: String?
        /// The number of frames in which it was detected.
        public var frames: Int
        /// The times of the first and last detection, seconds.
        public var start: Double, end: Double
        /// The mean confidence, 0...1.
        public var confidence: Double
    }

    /// Everyone detected, by number.
    public var people: [Sighting]
    /// The detected hands, by number.
    public var hands: [Sighting]

    /// One row per person or hand.
    public static var columns: [String] { ["kind", "id", "hand", "frames", "start", "end", "confidence"] }

    /// The people, then the hands.
    public var rows: [[String]] {
        [("person", people), ("hand", hands)].flatMap { kind, all in
            all.map {
                [kind, "\($0.id)", $0.hand ?? "", "\($0.frames)", "\($0.start)", "\($0.end)", "\($0.confidence)"]
            }
        }
    }

    /// The input, then everyone.
    public func lines(_ run: AnalysisRun) -> [String] {
        func line(_ name: String, _ one: Sighting) -> String {
            "\(name): \(PlainText.counted(one.frames, "frame")) from \(one.start.text(1)) to \(one.end.text(1)) s, "
                + "confidence \((100 * one.confidence).text(1)) %"
        }
        let speed = run.seconds > 0 ? (Double(run.frames) / run.seconds).text(1) : "-"
        return ["\(run.name): \(run.duration.text(1)) s, \(PlainText.counted(run.frames, "frame")), \(speed) frames/s"]
            + (run.framesWithDetections == 0 ? ["no person found"] : []) + people.map { line("person \($0.id)", $0) }
            + hands.map { line("hand \($0.id)" + ($0.hand.map { ", \($0)" } ?? ""), $0) }
    }
}

/// An analysis that reads only the poses and hands of a frame, so that its frames may come without pictures.
package protocol PoseOnlyAnalysis: Analysis {
    /// The frames of a file that it needs.
    var neededFrames: FrameSelection { get }
}

extension PoseOnlyAnalysis {
    package var neededFrames: FrameSelection { .all }
}

extension Analysis {
    /// The frames of a file that any analysis needs: all, unless it says otherwise.
    package var framesToRead: FrameSelection { (self as? any PoseOnlyAnalysis)?.neededFrames ?? .all }
}

extension FrameSelection {
    /// The frames for repetitions: the counter sees the movement in steps of a fifteenth of a second, and a repetition
    /// takes at least 0.3 s.
    static let repetitions = perSecond(15)
}
