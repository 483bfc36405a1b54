extension RepetitionSignal {
    /// Which part of a repetition the movement is in.
    package enum Phase: String, Sendable, CaseIterable {
        /// The person is not seen.
        case notSeen = "not seen"
        /// In the posture a repetition begins with.
        case start
        /// On the way from the start to the turn.
        case out
        /// At the turn.
        case turn
        /// On the way from the turn back to the start.
        case back
        /// Still, between start and turn.
        case hold
    }

    /// The part the newest sample is in; nil without samples.
    ///
    /// Moving is going a twentieth of the way in 0.15 s, which is slower than repetitions of 6 s are at their fastest.
    package var phase: Phase? {
        guard let newest = samples.last else { return nil }
        guard let value = newest.value else { return .notSeen }
        let before = samples.last { $0.time <= newest.time - 0.15 && $0.value != nil }?.value ?? value
        if value - before > 0.05 { return .out }
        if value - before < -0.05 { return .back }
        return value < 0.3 ? .start : value > 0.7 ? .turn : .hold
    }
}
