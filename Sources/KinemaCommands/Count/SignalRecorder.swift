import Foundation
import Kinema
import KinemaDraw

/// Keeps everyone's movement for the charts: all of it for `--plot`, the last seconds for the strip.
struct SignalRecorder: Sendable {
    private let scope: PeopleCounter.Scope
    private let keepsAll: Bool
    private var signals: [Int: RepetitionSignal] = [:]

    /// How much is kept for the strip, seconds: what it shows and a little more.
    private static let memory = 9.0

    init(scope: PeopleCounter.Scope, keepsAll: Bool) {
        self.scope = scope
        self.keepsAll = keepsAll
    }

    /// Takes everyone's newest value.
    mutating func add(_ counter: PeopleCounter, at time: TimeInterval) {
        for person in counter.people {
            // The prominent person is one line, whoever that is by now.
            let key = scope == .prominent ? 0 : person.id
            var signal = signals.removeValue(forKey: key) ?? RepetitionSignal(id: person.id)
            signal.id = person.id
            signal.samples.append(.init(time: time, value: counter.signal(of: person.id).map(Double.init)))
            take(person.repetitions, into: &signal)
            // Cut now and then, not with every frame.
            if !keepsAll, let first = signal.samples.first, time - first.time > 2 * Self.memory {
                signal = signal.last(Self.memory)
            }
            signals[key] = signal
        }
    }

    /// Takes the repetitions that became certain after the last frame.
    mutating func finish(_ people: [PeopleCounter.Person]) {
        for person in people {
            let key = scope == .prominent ? 0 : person.id
            guard var signal = signals[key] else { continue }
            take(person.repetitions, into: &signal)
            signals[key] = signal
        }
    }

    private func take(_ repetitions: [Repetition], into signal: inout RepetitionSignal) {
        let known = signal.repetitionsBefore + signal.repetitions.count
        guard repetitions.count > known else { return }
        signal.repetitions += repetitions[known...].map { min($0.start, $0.end)...max($0.start, $0.end) }
    }

    /// Everyone who did something or was seen for a second or more, for the chart.
    var everyone: [RepetitionSignal] {
        signals.values.filter { signal in
            let seen = signal.samples.filter { $0.value != nil }
            return !signal.repetitions.isEmpty || (seen.last?.time ?? 0) - (seen.first?.time ?? 0) >= 1
        }.sorted { $0.id < $1.id }
    }

    /// Those in view now, over the last seconds, for the strip.
    func strip(at time: TimeInterval) -> StripChart? {
        let lanes = signals.values.filter { scope == .prominent || $0.samples.last?.value != nil }
            .sorted { $0.id < $1.id }.prefix(StripChart.lanes).map { $0.last(Self.memory) }
        return lanes.isEmpty ? nil : StripChart(signals: lanes, now: time)
    }

    /// What the only person is doing, in a word; nil when there are several.
    var phase: String? {
        signals.count == 1 ? signals.values.first?.phase?.rawValue : nil
    }
}
