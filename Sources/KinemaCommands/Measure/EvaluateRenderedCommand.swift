import ArgumentParser
import Foundation
import Kinema
import KinemaSynth

/// `kinema evaluate rendered`: counts randomly rendered clips and compares with their exact truth.
struct EvaluateRenderedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rendered", abstract: "Counts randomly rendered clips and compares with their exact truth.",
        discussion: """
            Renders clips with random movement, build, camera, frame rate, pauses and cuts (kinema synth --scene \
            random) and clips without exercise (--scene no-exercise), and counts each. It prints the share of clips \
            counted exactly, the share of clips without exercise in which nothing was counted, the share of starts and \
            ends found within 0.15 s of the truth, and the delay between the true end of a repetition and its report. \
            The videos are deleted afterwards.
            """)

    @Option(help: "The number of clips with an exercise.")
    var clips = 200

    @Option(help: "The number of clips without exercise.")
    var withoutExercise = 50

    @Option(help: "The seed of the first clip; it increases by 1 for each clip.")
    var seed: UInt64 = 0

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "Output format: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func validate() throws {
        guard (0...10_000).contains(clips), (0...10_000).contains(withoutExercise), clips + withoutExercise > 0 else {
            throw ValidationError("--clips and --without-exercise take 0 to 10000; one of them must be above 0")
        }
        guard seed <= UInt64(Int.max) - 10_000 else {
            throw ValidationError("--seed takes at most \(Int.max - 10_000)")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let folder = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
            let url = try OutputFolder.make(folder.path).appending(path: "clip.mp4")
            defer { try? FileManager.default.removeItem(at: folder) }
            var score = RenderedScore()
            var table = RenderedTable(format: format)
            try table.begin()
            for index in 0..<clips + withoutExercise where !interruption.isRaised {
                let exercises = index < clips
                let seed = seed + UInt64(exercises ? index : index - clips)
                let scene = exercises ? SynthScene.random(seed: seed) : .withoutExercise(seed: seed)
                Console.shared.progress(index, of: clips + withoutExercise, note: "rendering and counting")
                do {
                    try SynthWriter.write(scene, to: url) { _, _ in
                        if interruption.isRaised { throw CancellationError() }
                    }
                } catch is CancellationError {
                    break
                }
                let runner = InputRunner(input: InputChoice(url.path), showsProgress: false)
                let result = try await runner.run(CountAnalysis(try body.counting), interruption).analysis.result
                if interruption.isRaised { break }
                let truth = scene.people.flatMap { scene.repetitions(of: $0) }.filter(\.isCounted)
                if exercises {
                    score.add(truth, counted: result.people.flatMap(\.repetitions))
                } else {
                    score.add(countedWithoutExercise: result.count)
                }
                try table.row(
                    seed: seed, exercise: exercises ? truth.first?.exercise ?? "none" : "none", truth: truth.count,
                    counted: result.count)
            }
            Console.shared.endProgress()
            try table.end(score)
        }
    }
}

/// The agreement of counts with the exact truth of rendered clips: number, times and delay.
struct RenderedScore {
    /// The tolerance for correct starts and ends, in seconds.
    static let tolerance = 0.15

    private(set) var counts = CountingScore()
    private(set) var idle = 0
    private(set) var idleUncounted = 0
    /// The true repetitions, and how many of their starts and ends were found.
    private(set) var real = 0
    private(set) var startsNear = 0
    private(set) var endsNear = 0
    /// The delays from the true end to the report: of all repetitions, and from the third of a clip on, when its set is
    /// known.
    private(set) var delays: [Double] = []
    private(set) var laterDelays: [Double] = []

    /// Adds a clip with its true and its counted repetitions.
    mutating func add(_ truth: [Truth.Repetition], counted: [CountedRepetition]) {
        counts.add(
            .init(count: counted.count, repetitions: truth.count, range: truth.count...truth.count))
        real += truth.count
        for (index, pair) in Self.pairs(truth, counted).enumerated() {
            guard let (start, end, known) = pair.map({ ($0.start, $0.end, $0.known) }) else {
                continue
            }
            let one = truth[index]
            if abs(start - one.start) <= Self.tolerance { startsNear += 1 }
            if abs(end - one.end) <= Self.tolerance { endsNear += 1 }
            delays.append(known - one.end)
            if index >= 2 { laterDelays.append(known - one.end) }
        }
    }

    /// Adds a clip in which nobody exercises.
    mutating func add(countedWithoutExercise count: Int) {
        idle += 1
        if count == 0 { idleUncounted += 1 }
    }

    /// The share of starts found, of all true repetitions.
    var startShare: Double { real > 0 ? Double(startsNear) / Double(real) : 0 }
    /// The share of ends found, of all true repetitions.
    var endShare: Double { real > 0 ? Double(endsNear) / Double(real) : 0 }

    /// The share of delays of at most 0.15 s.
    static func inTime(_ delays: [Double]) -> Double {
        delays.isEmpty ? 0 : Double(delays.count { $0 <= tolerance }) / Double(delays.count)
    }

    /// The percentile of the delays at a share, 0...1.
    static func percentile(_ share: Double, of delays: [Double]) -> Double {
        let sorted = delays.sorted()
        return sorted.isEmpty ? 0 : sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
    }

    /// Pairs each true repetition with the counted one that overlaps it most; each is used once.
    private static func pairs(_ truth: [Truth.Repetition], _ counted: [CountedRepetition]) -> [CountedRepetition?] {
        var found = [CountedRepetition?](repeating: nil, count: truth.count)
        var taken = Set<Int>()
        for (index, one) in truth.enumerated() {
            func overlap(_ other: CountedRepetition) -> Double { min(one.end, other.end) - max(one.start, other.start) }
            let best = counted.indices.filter { !taken.contains($0) }
                .max { overlap(counted[$0]) < overlap(counted[$1]) }
            guard let best, overlap(counted[best]) > 0 else { continue }
            taken.insert(best)
            found[index] = counted[best]
        }
        return found
    }
}

/// The table of `kinema evaluate rendered`.
struct RenderedTable {
    let format: OutputFormat
    private let output = StandardOutput()
    private var isFirst = true

    init(format: OutputFormat) {
        self.format = format
    }

    func begin() throws {
        switch format {
        case .text:
            try output.line(
                CountTable.pad("seed", 8) + CountTable.pad("exercise", 18) + CountTable.pad("truth", 8) + "counted")
        case .csv: try output.line("seed,exercise,reps,counted")
        case .json: try output.line("{\"rows\":[")
        case .jsonl: break
        }
    }

    mutating func row(seed: UInt64, exercise: String, truth: Int, counted: Int) throws {
        switch format {
        case .text:
            try output.line(
                CountTable.pad("\(seed)", 8) + CountTable.pad(exercise, 18) + CountTable.pad("\(truth)", 8)
                    + "\(counted)" + (truth == counted ? "" : "  <"))
        case .csv: try output.line("\(seed),\(exercise),\(truth),\(counted)")
        case .json, .jsonl:
            var json = JSONText()
            json.object { json in
                json.key("seed")
                json.integer(Int(seed))
                json.key("exercise")
                json.string(exercise)
                json.key("reps")
                json.integer(truth)
                json.key("counted")
                json.integer(counted)
            }
            if format == .jsonl { json.newline() }
            try output.write((format == .json && !isFirst ? Array(",\n".utf8) : []) + json.bytes)
        }
        isFirst = false
    }

    func end(_ score: RenderedScore) throws {
        switch format {
        case .text: for line in lines(score) { try output.line(line) }
        case .csv: for line in lines(score) { try output.line("# " + line) }
        case .json, .jsonl:
            var json = JSONText()
            write(score, to: &json)
            try output.write(Array((format == .json ? "],\n" : "{").utf8) + json.bytes + Array("}\n".utf8))
        }
    }

    private func lines(_ score: RenderedScore) -> [String] {
        func three(_ value: Double) -> String { String(format: "%.3f", value) }
        func delay(_ delays: [Double]) -> String {
            "median \(three(RenderedScore.percentile(0.5, of: delays))) s, 95th percentile "
                + "\(three(RenderedScore.percentile(0.95, of: delays))) s, within 0.15 s "
                + three(RenderedScore.inTime(delays))
        }
        var lines: [String] = []
        if !score.counts.clips.isEmpty {
            lines = [
                "\(PlainText.counted(score.counts.clips.count, "clip")) with an exercise: \(CountMeasures(score.counts).text)",
                "\(PlainText.counted(score.real, "repetition")): start within 0.15 s \(three(score.startShare)), "
                    + "end within 0.15 s \(three(score.endShare))",
                "reported after the true end: \(delay(score.delays))",
                "from a clip's third repetition on: \(delay(score.laterDelays))",
            ]
        }
        if score.idle > 0 {
            lines.append(
                "\(PlainText.counted(score.idle, "clip")) without exercise: nothing counted in \(score.idleUncounted)")
        }
        return lines
    }

    private func write(_ score: RenderedScore, to json: inout JSONText) {
        json.key("clips")
        json.integer(score.counts.clips.count)
        CountMeasures(score.counts).write(to: &json)
        json.key("repetitions")
        json.integer(score.real)
        json.key("starts_near")
        json.number(score.startShare)
        json.key("ends_near")
        json.number(score.endShare)
        for (name, delays) in [("delay", score.delays), ("later_delay", score.laterDelays)] {
            json.key(name + "_median")
            json.number(RenderedScore.percentile(0.5, of: delays))
            json.key(name + "_95")
            json.number(RenderedScore.percentile(0.95, of: delays))
            json.key(name + "_in_time")
            json.number(RenderedScore.inTime(delays))
        }
        json.key("without_exercise")
        json.integer(score.idle)
        json.key("without_exercise_uncounted")
        json.integer(score.idleUncounted)
    }
}
