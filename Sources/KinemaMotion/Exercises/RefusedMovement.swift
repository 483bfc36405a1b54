public import Foundation

/// A repeated movement that is not a repetition of the exercise.
public struct RefusedMovement: Codable, Sendable, Hashable {
    /// The start and end, seconds.
    public var start: TimeInterval, end: TimeInterval
    /// The reason, in words.
    public var reason: String

    package init(start: TimeInterval, end: TimeInterval, reason: String) {
        (self.start, self.end, self.reason) = (start, end, reason)
    }
}

extension ExerciseCoach {
    /// The repetitions of a `RepetitionCounter` that this coach refused, with reasons; call it after `finish()`.
    package func refused(of counted: [Repetition]) -> [RefusedMovement] {
        if exercise?.isHold == true || exercise?.shown != nil { return [] }
        return counted.filter { one in
            !repetitions.contains { Self.overlap($0.start...max($0.start, $0.end), one) > 0 }
        }.map { RefusedMovement(start: $0.start, end: $0.end, reason: reason(for: $0)) }
    }

    private func reason(for movement: Repetition) -> String {
        guard let exercise, let motion = exercise.motion, let tracker else { return "no exercise was recognised" }
        let found = tracker.refusals.map { ($0, Self.overlap($0.start...max($0.start, $0.end), movement)) }
        guard let most = found.max(by: { $0.1 < $1.1 }), most.1 > 0 else {
            return "\(motion.measure.name) moves less than in a \(exercise.title.lowercased())"
        }
        return most.0.reason
    }

    private static func overlap(_ time: ClosedRange<TimeInterval>, _ movement: Repetition) -> TimeInterval {
        min(time.upperBound, movement.end) - max(time.lowerBound, movement.start)
    }
}
