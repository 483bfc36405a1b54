/// How one person's movement went over time, with the repetitions found in it: what charts draw.
public struct RepetitionSignal: Sendable, Hashable {
    /// The movement at a moment.
    public struct Sample: Sendable, Hashable {
        /// Seconds from the first frame.
        public var time: Double
        /// About 0 where a repetition begins and 1 where it turns; nil while the person is not seen.
        public var value: Double?

        /// Makes a sample from a time in seconds and a value.
        public init(time: Double, value: Double?) {
            self.time = time
            self.value = value
        }
    }

    /// The person's number.
    public var id: Int
    /// The movement, in order of time.
    public var samples: [Sample]
    /// The repetitions' beginnings and ends in seconds, in order.
    public var repetitions: [ClosedRange<Double>]
    /// How many repetitions came before those listed.
    public var repetitionsBefore: Int

    /// Makes a signal; without samples it is that of a person not seen yet.
    public init(
        id: Int, samples: [Sample] = [], repetitions: [ClosedRange<Double>] = [], repetitionsBefore: Int = 0
    ) {
        self.id = id
        self.samples = samples
        self.repetitions = repetitions
        self.repetitionsBefore = repetitionsBefore
    }

    /// What lies in the last seconds before the newest sample.
    public func last(_ seconds: Double) -> RepetitionSignal {
        guard let end = samples.last?.time else { return self }
        let start = end - seconds
        let gone = repetitions.prefix { $0.upperBound < start }.count
        // Searched from the end, which is near.
        let kept = samples.lastIndex { $0.time < start }.map { $0 + 1 } ?? 0
        return RepetitionSignal(
            id: id, samples: Array(samples[kept...]), repetitions: Array(repetitions.dropFirst(gone)),
            repetitionsBefore: repetitionsBefore + gone)
    }

    /// A stretch without a person ends a line; so does a hole in time of this many seconds.
    public static let hole = 0.5

    /// The samples in unbroken runs.
    var runs: [[(time: Double, value: Double)]] {
        var runs: [[(time: Double, value: Double)]] = []
        var isOpen = false
        for sample in samples {
            guard let value = sample.value, value.isFinite, sample.time.isFinite else {
                isOpen = false
                continue
            }
            if isOpen, let last = runs.last?.last, sample.time - last.time <= Self.hole {
                runs[runs.count - 1].append((sample.time, value))
            } else {
                runs.append([(sample.time, value)])
                isOpen = true
            }
        }
        return runs
    }

    /// When the person was not seen between the first and the last sample, for longer than a blink of 0.2 s.
    var absences: [ClosedRange<Double>] {
        guard let first = samples.first?.time, let last = samples.last?.time, last > first else { return [] }
        var end = first
        var found: [ClosedRange<Double>] = []
        for run in runs {
            if let begin = run.first?.time, begin - end > 0.2 { found.append(end...begin) }
            end = max(end, run.last?.time ?? end)
        }
        if last - end > 0.2 { found.append(end...last) }
        return found
    }
}

extension RepetitionSignal {
    /// Which part of a repetition the movement is in.
    public enum Phase: String, Sendable, CaseIterable {
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
    public var phase: Phase? {
        guard let newest = samples.last else { return nil }
        guard let value = newest.value else { return .notSeen }
        let before = samples.last { $0.time <= newest.time - 0.15 && $0.value != nil }?.value ?? value
        if value - before > 0.05 { return .out }
        if value - before < -0.05 { return .back }
        return value < 0.3 ? .start : value > 0.7 ? .turn : .hold
    }
}
