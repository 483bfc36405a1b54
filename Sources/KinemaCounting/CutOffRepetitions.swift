import Foundation
import KinemaCore

/// Finds repetitions that the beginning or the end of a person's recording cuts off.
///
/// There the body is on the way between the postures in which the nearest repetition begins and turns.
struct CutOffRepetitions: Sendable {
    private typealias Seen = (time: TimeInterval, row: JointRow)

    /// Seconds at each end that are kept: longer repetitions are not judged.
    private static let memory = 15.0
    /// The least share of the way to the turning posture at the recording's first or last pose.
    private static let leastWay: Float = 0.3

    private let aspectRatio: Float
    private var (beginning, end): ([Seen], [Seen]) = ([], [])
    private var shot: Int?
    private var now: TimeInterval = 0

    init(aspectRatio: Double) { self.aspectRatio = Float(aspectRatio) }

    mutating func append(_ pose: Pose?, at time: TimeInterval) {
        now = time
        guard let pose, let joints = BodyJoints(pose, aspectRatio: aspectRatio) else { return }
        // Postures in another view cannot be compared.
        if pose.shot != shot { (shot, end) = (pose.shot, []) }
        let seen = (time, JointRow(joints.points).centred)
        if time - (beginning.first?.time ?? time) <= Self.memory { beginning.append(seen) }
        end.append(seen)
        if time - end[0].time > 2 * Self.memory { end.removeAll { time - $0.time > Self.memory } }
    }

    /// What is cut off, in words, of a person with these repetitions in order of time.
    func notes(_ repetitions: [Repetition]) -> [String] {
        var notes: [String] = []
        if let first = repetitions.first, let pose = beginning.first,
            isOnTheWay(pose, beginning, first, at: first.start)
        {
            notes.append("a repetition that was under way when the person came into view is not counted")
        }
        if let last = repetitions.last, let pose = end.last, isOnTheWay(pose, end, last, at: last.end) {
            let reason = pose.time < now ? "when the person left the view" : "at the end of the recording"
            notes.append("a repetition that was under way \(reason) is not counted")
        }
        return notes
    }

    /// Whether a pose outside a repetition, no farther from it than its duration, is on the way to its turning posture.
    private func isOnTheWay(_ pose: Seen, _ all: [Seen], _ one: Repetition, at end: TimeInterval) -> Bool {
        let own = all.filter { $0.time >= one.start && $0.time <= one.end }
        guard (1e-3..<one.duration).contains(abs(pose.time - end)), pose.time < one.start || pose.time > one.end,
            let rest = own.min(by: { abs($0.time - end) < abs($1.time - end) })?.row,
            let turn = own.map({ $0.row - rest }).max(by: { $0.squared < $1.squared }), turn.squared > 0
        else { return false }
        return turn.dot(pose.row - rest) >= Self.leastWay * turn.squared
    }
}
