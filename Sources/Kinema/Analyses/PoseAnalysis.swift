import Foundation
import KinemaCore
public import KinemaDraw
import KinemaVision

/// Detects everyone's body and hands, and sums their time in view.
public struct PoseAnalysis: Analysis {
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
