import Foundation
import Kinema
import KinemaSynth

/// How counts of rendered clips agree with their exact truth: numbers, places in time, and how soon they were told.
struct RenderedScore {
    /// Beginnings and ends this near the truth are right, seconds.
    static let nearness = 0.15

    private(set) var counts = CountingScore()
    private(set) var idle = 0
    private(set) var idleUncounted = 0
    /// Repetitions that truly happened, and how many began and ended near where one was counted.
    private(set) var real = 0
    private(set) var startsNear = 0
    private(set) var endsNear = 0
    /// From the true end to when it was told: everywhere, and from the third of a clip on, when the set is known.
    private(set) var delays: [Double] = []
    private(set) var laterDelays: [Double] = []

    /// Takes a clip with its true and its counted repetitions.
    mutating func add(_ truth: [Truth.Repetition], counted: [CountedRepetition]) {
        counts.add(
            .init(count: counted.count, repetitions: truth.count, range: truth.count...truth.count))
        real += truth.count
        for (index, pair) in Self.pairs(truth, counted).enumerated() {
            guard let (start, end, known) = pair.map({ ($0.start, $0.end, $0.known) }) else {
                continue
            }
            let one = truth[index]
            if abs(start - one.start) <= Self.nearness { startsNear += 1 }
            if abs(end - one.end) <= Self.nearness { endsNear += 1 }
            delays.append(known - one.end)
            if index >= 2 { laterDelays.append(known - one.end) }
        }
    }

    /// Takes a clip in which nobody exercises.
    mutating func add(countedWithoutExercise count: Int) {
        idle += 1
        if count == 0 { idleUncounted += 1 }
    }

    /// The share of beginnings near the truth; those of repetitions nobody counted are not.
    var startShare: Double { real > 0 ? Double(startsNear) / Double(real) : 0 }
    /// The same of ends.
    var endShare: Double { real > 0 ? Double(endsNear) / Double(real) : 0 }

    /// The share told at most 0.15 s after the true end.
    static func inTime(_ delays: [Double]) -> Double {
        delays.isEmpty ? 0 : Double(delays.count { $0 <= nearness }) / Double(delays.count)
    }

    /// The value below which a share of the delays lies.
    static func percentile(_ share: Double, of delays: [Double]) -> Double {
        let sorted = delays.sorted()
        return sorted.isEmpty ? 0 : sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
    }

    /// For each true repetition the counted one that shares most time with it; each is given once.
    private static func pairs(_ truth: [Truth.Repetition], _ counted: [CountedRepetition]) -> [CountedRepetition?] {
        var found = [CountedRepetition?](repeating: nil, count: truth.count)
        var taken = Set<Int>()
        for (index, one) in truth.enumerated() {
            func shared(_ other: CountedRepetition) -> Double { min(one.end, other.end) - max(one.start, other.start) }
            let best = counted.indices.filter { !taken.contains($0) }
                .max { shared(counted[$0]) < shared(counted[$1]) }
            guard let best, shared(counted[best]) > 0 else { continue }
            taken.insert(best)
            found[index] = counted[best]
        }
        return found
    }
}
