import Foundation
import Kinema

/// What stands at the end of `kinema pose`: who was seen, and for how long.
struct PoseReport {
    private(set) var frames = 0
    private(set) var duration: TimeInterval = 0
    private(set) var framesWithSomeone = 0
    private var people = Sightings()
    private var hands = Sightings()
    private var sides: [Int: [HumanHandPoseObservation.Chirality: Int]] = [:]

    /// Takes the next frame.
    mutating func add(_ poses: [Pose], hands: [HumanHandPoseObservation] = [], _ range: Range<TimeInterval>) {
        frames += 1
        duration = range.upperBound
        if !poses.isEmpty || !hands.isEmpty { framesWithSomeone += 1 }
        people.add(poses, range)
        self.hands.add(hands.map(\.pose), range)
        for hand in hands {
            if let side = hand.chirality { sides[hand.pose.id ?? 0, default: [:]][side, default: 0] += 1 }
        }
    }

    /// The report for people.
    func text(source: String, seconds: TimeInterval) -> String {
        var lines = [
            "\(PlainText.oneLine(source)): \(format(duration)) s, \(PlainText.counted(frames, "frame")), "
                + "\(format(Double(frames) / seconds)) frames/s"
        ]
        if framesWithSomeone == 0 { lines.append("nobody found") }
        lines += people.lines { "person \($0)" }
        lines += hands.lines { id in
            let side = sides[id]?.max { $0.value < $1.value }?.key.rawValue
            return "hand \(id)" + (side.map { ", \($0)" } ?? "")
        }
        return lines.joined(separator: "\n")
    }
}

/// How often and how long each numbered person or hand was seen.
private struct Sightings {
    private var seen: [Int: (frames: Int, first: TimeInterval, last: TimeInterval, confidence: Double)] = [:]

    mutating func add(_ poses: [Pose], _ range: Range<TimeInterval>) {
        for pose in poses {
            let id = pose.id ?? 0
            var sighting = seen[id] ?? (0, range.lowerBound, range.lowerBound, 0)
            sighting.frames += 1
            sighting.last = range.upperBound
            sighting.confidence += Double(pose.confidence)
            seen[id] = sighting
        }
    }

    func lines(_ name: (Int) -> String) -> [String] {
        seen.sorted { $0.key < $1.key }.map { id, sighting in
            let confidence = format(100 * sighting.confidence / Double(sighting.frames))
            return "\(name(id)): \(PlainText.counted(sighting.frames, "frame")) from \(format(sighting.first)) to "
                + "\(format(sighting.last)) s, confidence \(confidence) %"
        }
    }
}

private func format(_ value: Double) -> String {
    String(format: "%.1f", value)
}
