import Foundation
import Kinema

/// What stands at the end of `kinema pose`: who was seen, and for how long.
struct PoseReport {
    private(set) var frames = 0
    private(set) var duration: TimeInterval = 0
    private(set) var framesWithSomeone = 0
    private var people: [Int: (frames: Int, first: TimeInterval, last: TimeInterval, confidence: Double)] = [:]

    /// Takes the next frame.
    mutating func add(_ poses: [Pose], _ range: Range<TimeInterval>) {
        frames += 1
        duration = range.upperBound
        if !poses.isEmpty { framesWithSomeone += 1 }
        for pose in poses {
            let id = pose.id ?? 0
            var person = people[id] ?? (0, range.lowerBound, range.lowerBound, 0)
            person.frames += 1
            person.last = range.upperBound
            person.confidence += Double(pose.confidence)
            people[id] = person
        }
    }

    /// The report for people.
    func text(source: String, seconds: TimeInterval) -> String {
        var lines = ["\(source): \(format(duration)) s, \(frames) frames, \(format(Double(frames) / seconds)) frames/s"]
        if people.isEmpty { lines.append("nobody found") }
        for (id, person) in people.sorted(by: { $0.key < $1.key }) {
            let confidence = format(100 * person.confidence / Double(person.frames))
            lines.append(
                "person \(id): \(person.frames) frames from \(format(person.first)) to \(format(person.last)) s, "
                    + "confidence \(confidence) %")
        }
        return lines.joined(separator: "\n")
    }

    private func format(_ value: Double) -> String {
        String(format: "%.1f", value)
    }
}
