import ArgumentParser
import Foundation
import KinemaCommands
import Kinema
import KinemaSynth

struct EvaluateRenderedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rendered",
        abstract: "Counts the repetitions in randomly rendered clips and compares the counts with the ground truth.",
        discussion: """
            Renders clips with random movement, build, camera, frame rate, pauses and cuts (kinema synth --scene \
            random) and clips without exercise (--scene no-exercise), and counts each. It prints the share of clips \
            counted exactly, the share of clips without exercise in which nothing was counted, the share of starts and \
            ends found within 0.15 s of the ground truth, and the delay between the true end of a repetition and its report. \
            The videos are deleted afterwards.
            """)

    @Option(help: "The number of clips with an exercise.")
    var clips = 200

    @Option(help: "The number of clips without an exercise.")
    var withoutExercise = 50

    @OptionGroup var scenes: RenderedScenes

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        guard (0...10_000).contains(clips), (0...10_000).contains(withoutExercise), clips + withoutExercise > 0 else {
            throw ValidationError("--clips and --without-exercise must be 0 to 10000, and one of them above 0")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var score = RenderedScore()
            var table = try EvaluationTable(
                results.format, columns: ["seed": 8, "exercise": 18, "truth": 8, "counted": 0],
                header: ["seed", "exercise", "reps", "counted"])
            try await scenes.each(clips + withoutExercise, note: "rendering and counting", interruption) { index in
                let seed = seed(index)
                return index < clips ? SynthScene.random(seed: seed) : .withoutExercise(seed: seed)
            } score: { index, scene, url in
                let runner = InputRunner(input: InputChoice(url.path), showsProgress: false)
                let result = try await runner.run(CountAnalysis(try body.counting), interruption).analysis.result
                if interruption.isRaised { return }
                let truth = scene.people.flatMap { scene.repetitions(of: $0) }.filter(\.isCounted)
                if index < clips {
                    score.add(truth, counted: result.people.flatMap(\.repetitions))
                } else {
                    score.add(countedWithoutExercise: result.count)
                }
                let exercise = index < clips ? truth.first?.exercise ?? "none" : "none"
                try table.row(
                    ["\(seed(index))", exercise, "\(truth.count)", "\(result.count)"],
                    isWrong: truth.count != result.count,
                    [.integer(Int(seed(index))), .text(exercise), .integer(truth.count), .integer(result.count)])
            }
            try table.end(score.lines) { score.write(to: &$0) }
        }
    }

    /// Clips without exercise begin with the same seed as those with one.
    private func seed(_ index: Int) -> UInt64 { scenes.seed + UInt64(index < clips ? index : index - clips) }
}

/// Renders random scenes one after the other for the commands that compare results with exact truth.
struct RenderedScenes: ParsableArguments {
    @Option(help: "The seed of the first clip; it increases by 1 for each clip.")
    var seed: UInt64 = 0

    func validate() throws {
        guard seed <= UInt64(Int.max) - 10_000 else {
            throw ValidationError("--seed must be at most \(Int.max - 10_000)")
        }
    }

    /// Renders the scenes of as many seeds and scores each video, until a signal; `keep` reuses videos.
    func each(
        _ count: Int, note: String, keep: String? = nil, _ interruption: Interruption,
        scene: (Int) -> SynthScene, score: (Int, SynthScene, URL) async throws -> Void
    ) async throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
        let folder = try OutputFolder.make(keep ?? scratch.path)
        defer { try? FileManager.default.removeItem(at: scratch) }
        for index in 0..<count where !interruption.isRaised {
            Console.shared.progress(index, of: count, note: note)
            let scene = scene(index)
            let name = keep == nil ? "clip" : String(format: "throws-%04d", Int(seed) + index)
            let url = folder.appending(path: name + ".mp4")
            do {
                if keep == nil || !FileManager.default.fileExists(atPath: url.path) {
                    let truth = keep.map { _ in folder.appending(path: name + ".json") }
                    try SynthWriter.write(scene, to: url, truth: truth) { _, _ in
                        if interruption.isRaised { throw CancellationError() }
                    }
                }
                try await score(index, scene, url)
            } catch is CancellationError where interruption.isRaised {
                break
            }
        }
        Console.shared.endProgress()
    }
}

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
