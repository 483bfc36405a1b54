public import Foundation

/// One person's movement over time and the repetitions found in it.
public struct RepetitionSignal: Sendable, Hashable {
    /// The movement at one time.
    public struct Sample: Sendable, Hashable {
        /// Seconds since the first frame.
        package var time: Double
        /// About 0 at a repetition's start and 1 at its turn; nil while the person is not in view.
        package var value: Double?

        /// Creates a sample from a time in seconds and a value.
        public init(time: Double, value: Double?) { (self.time, self.value) = (time, value) }
    }

    /// The person's number.
    package var id: Int
    /// The samples in order of time.
    package var samples: [Sample]
    /// The start and end of each repetition in seconds, in order of time.
    package var repetitions: [ClosedRange<Double>]
    /// The number of repetitions before those listed.
    package var repetitionsBefore: Int

    /// Creates a signal; it has no samples until the person is first detected.
    public init(
        id: Int, samples: [Sample] = [], repetitions: [ClosedRange<Double>] = [], repetitionsBefore: Int = 0
    ) {
        (self.id, self.samples, self.repetitions) = (id, samples, repetitions)
        self.repetitionsBefore = repetitionsBefore
    }

    package func last(_ seconds: Double) -> RepetitionSignal {
        guard let end = samples.last?.time else { return self }
        let start = end - seconds
        let dropped = repetitions.prefix { $0.upperBound < start }.count
        // Searching from the end is faster, since the part is short.
        let first = samples.lastIndex { $0.time < start }.map { $0 + 1 } ?? 0
        return RepetitionSignal(
            id: id, samples: Array(samples[first...]), repetitions: Array(repetitions.dropFirst(dropped)),
            repetitionsBefore: repetitionsBefore + dropped)
    }

    /// The longest gap between samples, in seconds, that a chart's line bridges.
    static let maximumGap = 0.5

    /// The samples in runs without absences or long gaps.
    var runs: [[(time: Double, value: Double)]] { runs(bridging: Self.maximumGap) }

    func runs(bridging gap: Double) -> [[(time: Double, value: Double)]] {
        var runs: [[(time: Double, value: Double)]] = []
        var isOpen = false
        for sample in samples {
            guard let value = sample.value, value.isFinite, sample.time.isFinite else {
                isOpen = false
                continue
            }
            if isOpen, let last = runs.last?.last, sample.time - last.time <= gap {
                runs[runs.count - 1].append((sample.time, value))
            } else {
                runs.append([(sample.time, value)])
                isOpen = true
            }
        }
        return runs
    }

    /// The times between the first and the last sample when the person was not seen for more than 0.2 s.
    var absences: [ClosedRange<Double>] {
        guard let first = samples.first?.time, let last = samples.last?.time, last > first else { return [] }
        var end = first
        var found: [ClosedRange<Double>] = []
        for run in runs {
            if let start = run.first?.time, start - end > 0.2 { found.append(end...start) }
            end = max(end, run.last?.time ?? end)
        }
        if last - end > 0.2 { found.append(end...last) }
        return found
    }
}

extension RepetitionSignal {
    package enum Phase: String, Sendable, CaseIterable {
        case notSeen = "not seen"
        case start
        /// Moving from the start to the turn.
        case out
        case turn
        /// Moving from the turn back to the start.
        case back
        /// Holding still between start and turn.
        case hold
    }

    /// The phase at the newest sample; nil without samples. A change of 0.05 in 0.15 s counts as moving; repetitions of
    /// up to 6 s reach it.
    package var phase: Phase? {
        guard let newest = samples.last else { return nil }
        guard let value = newest.value else { return .notSeen }
        let before = samples.last { $0.time <= newest.time - 0.15 && $0.value != nil }?.value ?? value
        if value - before > 0.05 { return .out }
        if value - before < -0.05 { return .back }
        return value < 0.3 ? .start : value > 0.7 ? .turn : .hold
    }
}

/// A chart of each person's progress from start to turn over time in seconds, with repetitions as numbered bands.
public struct RepetitionChart: Sendable {
    private let title: String
    private let signals: [RepetitionSignal]
    private let duration: Double

    /// Creates a chart with a title, one panel for each signal from the top, and a time axis of `duration` seconds.
    public init(title: String, signals: [RepetitionSignal], duration: Double) {
        (self.title, self.signals, self.duration) = (title, signals, duration)
    }

    /// In pixels or points.
    static let width = 1200.0
    var height: Double { ChartPanel.top + Double(max(signals.count, 1)) * ChartPanel.height + ChartPanel.bottom }

    func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        canvas.title(title, upTo: Self.width - 60)
        let time = ChartScale(range: 0...max(duration, 0.1), from: 70, to: Self.width - 24)
        if signals.isEmpty {
            canvas.nobody(at: CGPoint(x: Self.width / 2, y: ChartPanel.top + ChartPanel.height / 2))
        }
        for (row, signal) in signals.enumerated() {
            ChartPanel(signal: signal, time: time, top: ChartPanel.top + Double(row) * ChartPanel.height)
                .draw(on: canvas)
        }
        canvas.timeAxis(time, atMost: 15, y: height - ChartPanel.bottom)
    }

    /// Writes the chart as `.svg` or `.png`; throws `.invalidArgument` for another extension, `.unwritableOutput`.
    public func write(to url: URL) throws {
        try Canvas.write(width: Self.width, height: height, to: url) { draw(on: $0) }
    }
}
