import Foundation

extension ExerciseTracker {
    /// What is looked at to say what is wrong now, seconds: a few frames, so that one bad picture says nothing.
    private static let moment: TimeInterval = 0.3
    /// From here on the movement is near enough to its far end for the rules of that end.
    private static let nearFar = 0.7

    /// What is wrong in the last moments; what only a whole repetition shows, such as how far it goes, is left out.
    func faultsNow(_ trail: ReadingTrail) -> [Fault] {
        guard let last = trail.readings.last else { return [] }
        let window = Array(trail.between(last.time - Self.moment, last.time))
        let isFar = exercise.motion != nil && progress >= Self.nearFar
        guard isFar || exercise.motion == nil && phase == "holding" else { return [] }
        let view = window.value(.view, .middle).map { BodyView(degrees: Float($0)) }
        return exercise.faults.compactMap { rule in
            guard rule.phase != .rest, ![.shallow, .notLockedOut].contains(rule.code) else { return nil }
            if case .measure(_, .range) = rule.quantity { return nil }
            return FaultFinder(rule: rule, window: window, duration: nil, view: view).fault(phase: phase)
        }
    }
}

extension ExerciseCoach {
    /// What is wrong with the person's posture now, whatever the repetition will turn out to be.
    package var faultsNow: [Fault] { phase == Self.lost ? [] : tracker?.faultsNow(trail) ?? [] }
}

extension FaultCode {
    /// The fault in words for people, such as "knees in".
    package var title: String { rawValue.replacing("_", with: " ") }
}
