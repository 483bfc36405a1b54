import Foundation
import KinemaDraw

struct SignalRecorder: Sendable {
    private let memory: SignalMemory
    private var signals: [Int: RepetitionSignal] = [:]

    /// The length kept for the strip, seconds: its 8 and a little more.
    private static let recent = 9.0

    init(_ memory: SignalMemory) { self.memory = memory }

    /// Adds a person's newest value, nil while not in view, and all repetitions so far.
    mutating func add(
        _ value: Double?, of key: Int, number: Int, repetitions: [ClosedRange<TimeInterval>], at time: TimeInterval
    ) {
        var signal = signals.removeValue(forKey: key) ?? RepetitionSignal(id: number)
        signal.id = number
        signal.samples.append(.init(time: time, value: value))
        Self.take(repetitions, into: &signal)
        // Trimmed now and then, not with every frame.
        if memory == .recent, let first = signal.samples.first, time - first.time > 2 * Self.recent {
            signal = signal.last(Self.recent)
        }
        signals[key] = signal
    }

    /// Takes the repetitions that the whole recording shows in place of those reported before its end.
    mutating func finish(_ key: Int, repetitions: [ClosedRange<TimeInterval>]) {
        guard let signal = signals[key] else { return }
        signals[key]?.repetitions = Array(repetitions.dropFirst(signal.repetitionsBefore))
    }

    private static func take(_ repetitions: [ClosedRange<TimeInterval>], into signal: inout RepetitionSignal) {
        let known = signal.repetitionsBefore + signal.repetitions.count
        if repetitions.count > known { signal.repetitions += repetitions[known...] }
    }

    subscript(_ key: Int) -> RepetitionSignal? { signals[key] }
    /// The signal of the person who has a number now.
    subscript(numbered number: Int) -> RepetitionSignal? { signals.values.first { $0.id == number } }

    var only: RepetitionSignal? { signals.count == 1 ? signals.values.first : nil }

    /// Everyone with a repetition, or seen for at least a second, for the chart.
    var everyone: [RepetitionSignal] {
        signals.values.filter { signal in
            let visible = signal.samples.filter { $0.value != nil }
            return !signal.repetitions.isEmpty || (visible.last?.time ?? 0) - (visible.first?.time ?? 0) >= 1
        }.sorted { $0.id < $1.id }
    }

    /// The strip of everyone in view, over the last seconds; a single person also while out of view.
    func strip(at time: TimeInterval) -> StripChart? {
        Self.strip(
            signals.values.filter { signals.count == 1 || $0.samples.last?.value != nil }.sorted { $0.id < $1.id },
            at: time)
    }

    static func strip(_ signals: [RepetitionSignal], at time: TimeInterval) -> StripChart? {
        let lanes = signals.prefix(StripChart.lanes).map { $0.last(recent) }
        return lanes.isEmpty ? nil : StripChart(signals: lanes, now: time)
    }
}
