import Kinema
import KinemaSynth

/// The agreement of counts with the exact truth of rendered clips: number, times and delay.
struct RenderedScore {
    /// The tolerance for correct starts and ends, in seconds.
    static let tolerance = 0.15

    private(set) var counts = CountingScore()
    private(set) var idle = 0, idleUncounted = 0
    /// The true repetitions, and how many of their starts and ends were found.
    private(set) var real = 0
    private(set) var startsNear = 0, endsNear = 0
    /// The delays from the true end to the report, of all repetitions and from the third of a clip on.
    private(set) var delays: [Double] = []
    private(set) var laterDelays: [Double] = []

    mutating func add(_ truth: [Truth.Repetition], counted: [CountedRepetition]) {
        counts.add(.init(count: counted.count, repetitions: truth.count, range: truth.count...truth.count))
        real += truth.count
        var left = counted
        for (index, one) in truth.enumerated() {
            // The counted one that overlaps it most; each is used once.
            func overlap(_ other: CountedRepetition) -> Double { min(one.end, other.end) - max(one.start, other.start) }
            guard let best = left.indices.max(by: { overlap(left[$0]) < overlap(left[$1]) }), overlap(left[best]) > 0
            else { continue }
            let found = left.remove(at: best)
            if abs(found.start - one.start) <= Self.tolerance { startsNear += 1 }
            if abs(found.end - one.end) <= Self.tolerance { endsNear += 1 }
            delays.append(found.known - one.end)
            if index >= 2 { laterDelays.append(found.known - one.end) }
        }
    }

    mutating func add(countedWithoutExercise count: Int) {
        idle += 1
        if count == 0 { idleUncounted += 1 }
    }

    var startShare: Double { real > 0 ? Double(startsNear) / Double(real) : 0 }
    var endShare: Double { real > 0 ? Double(endsNear) / Double(real) : 0 }

    /// The share of delays of at most 0.15 s.
    static func inTime(_ delays: [Double]) -> Double {
        delays.isEmpty ? 0 : Double(delays.count { $0 <= tolerance }) / Double(delays.count)
    }

    var lines: [String] {
        func delay(_ delays: [Double]) -> String {
            "median \((delays.quantile(0.5) ?? 0).text(3)) s, 95th percentile "
                + "\((delays.quantile(0.95) ?? 0).text(3)) s, within 0.15 s \(Self.inTime(delays).text(3))"
        }
        var lines: [String] = []
        if !counts.clips.isEmpty {
            lines = [
                "\(PlainText.counted(counts.clips.count, "clip")) with an exercise: \(counts.text)",
                "\(PlainText.counted(real, "repetition")): start within 0.15 s \(startShare.text(3)), "
                    + "end within 0.15 s \(endShare.text(3))",
                "reported after the true end: \(delay(delays))",
                "from a clip's third repetition on: \(delay(laterDelays))",
            ]
        }
        if idle > 0 {
            lines.append("\(PlainText.counted(idle, "clip")) without exercise: nothing counted in \(idleUncounted)")
        }
        return lines
    }

    func write(to json: inout JSONText) {
        json.field("clips", counts.clips.count)
        counts.write(to: &json)
        json.field("repetitions", real)
        json.field("starts_near", startShare)
        json.field("ends_near", endShare)
        for (name, delays) in [("delay", delays), ("later_delay", laterDelays)] {
            json.field(name + "_median", delays.quantile(0.5) ?? 0)
            json.field(name + "_95", delays.quantile(0.95) ?? 0)
            json.field(name + "_in_time", Self.inTime(delays))
        }
        json.field("without_exercise", idle)
        json.field("without_exercise_uncounted", idleUncounted)
    }
}
