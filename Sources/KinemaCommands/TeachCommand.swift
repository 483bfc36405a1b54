import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

struct TeachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teach", abstract: "Learns an exercise from recordings of good repetitions.",
        discussion: """
            GOOD are videos or pose files, or folders of them, in which a person repeats the exercise rightly; 3 repetitions in \
            one recording are enough for a start, more recordings and people widen what counts as right. The counter cuts the \
            repetitions; leave out bad ones with --keep. Wrong examples, in a folder named after their fault, teach that \
            fault. `kinema coach INPUT --exercise FILE` coaches the exercise. The guide teaching.md describes the file.
            """)

    @Argument(help: ArgumentHelp("Recordings of good repetitions, or folders of them.", valueName: "good"))
    var good: [String]

    @Option(
        parsing: .upToNextOption,
        help: """
            Recordings of faults: a folder with a folder for each fault, or folders or files; a fault is named after the \
            folder.
            """)
    var wrong: [String] = []

    @Option(
        help: ArgumentHelp(
            "The good repetitions to learn from, by number, as 2-6; requires a single recording.", valueName: "from-to"),
        transform: Self.range)
    var keep: ClosedRange<Int>?

    @Option(help: "The exercise's name. (default: the name of the file)")
    var name: String?

    @Option(
        help: ArgumentHelp("The sets and repetitions to do, as 3x10.", valueName: "sets x repetitions"),
        transform: Self.dose)
    var dose: ShownExercise.Dose?

    @Option(name: .shortAndLong, help: "The file to write, usually NAME.exercise.json.")
    var output: String

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var body: BodyOptionGroup

    private static func range(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard let first = ends.first, let last = ends.last, ends.count <= 2, first > 0, first <= last else {
            throw ValidationError("--keep must be numbers of repetitions, such as 2-6")
        }
        return first...last
    }

    private static func dose(_ text: String) throws -> ShownExercise.Dose {
        let numbers = text.split(separator: "x").map { Int($0.trimmingCharacters(in: .whitespaces)) ?? 0 }
        guard numbers.count == 2, (1...100).contains(numbers[0]), (1...1000).contains(numbers[1]) else {
            throw ValidationError("--dose must be sets and repetitions, such as 3x10")
        }
        return ShownExercise.Dose(sets: numbers[0], repetitions: numbers[1])
    }

    func validate() throws { try requireEnding(output, [".json"], "--output") }

    func run() async throws {
        try await Interruption.guarding { interruption in
            try OutputPlace.check(output)
            let right = try good.flatMap(Self.clips)
            guard keep == nil || right.count == 1 else {
                throw KinemaError(.invalidArgument, "--keep requires a single recording of good repetitions")
            }
            let faults = try wrong.flatMap(Self.faults)
            var demonstrations: [Demonstration] = []
            for (clip, fault) in right.map({ ($0, nil as String?) }) + faults.map({ ($0.url, $0.label) }) {
                let shown = try await demonstration(clip, fault: fault, interruption)
                if interruption.isRaised { throw CancellationError() }
                demonstrations.append(shown)
            }
            Console.shared.endProgress()
            let exercise = try exercise(from: demonstrations)
            var files = SideFiles()
            files.write {
                try AtomicFile.write(
                    Array((ExerciseDefinition([exercise]).text + "\n").utf8), to: URL(filePath: output))
            }
            files.write {
                try StandardOutput().line(summary(of: exercise, taught: faults.map(\.label)).joined(separator: "\n"))
            }
            try files.conclude()
        }
    }

    private func exercise(from demonstrations: [Demonstration]) throws -> Exercise {
        let file = URL(filePath: output).lastPathComponent
        let usual = file.split(separator: ".").first.map(String.init) ?? file
        let title = (name ?? usual.replacing("_", with: " ").replacing("-", with: " "))
        do {
            var exercise = try Exercise(learnedFrom: demonstrations, name: name ?? usual, title: title)
            if var shown = exercise.shown {
                shown.dose = dose
                exercise.kind = .shown(shown)
            }
            // What cannot be read back is not written.
            return try JSONDecoder().decode(Exercise.self, from: JSONEncoder().encode(exercise))
        } catch let error as DecodingError {
            throw KinemaError(.invalidArgument, ExerciseLibrary.message(error))
        }
    }

    /// Reads a recording, reports its repetitions, and warns of what makes a bad example.
    private func demonstration(_ clip: URL, fault: String?, _ interruption: Interruption) async throws -> Demonstration
    {
        let runner = InputRunner(input: poseFile.choice(InputChoice(clip.path)), outputs: [output])
        let outcome = try await runner.run(
            Showing(pipeline: try body.precisePipeline, fault: fault, kept: fault == nil ? keep : nil), interruption)
        Console.shared.endProgress()
        guard let shown = outcome.analysis.demonstration, outcome.run.framesWithDetections > 0 else {
            throw Console.shared.nobody(in: clip.path)
        }
        let found = shown.repetitions
        if let keep, fault == nil, keep.upperBound > found.count {
            throw KinemaError(
                .invalidArgument,
                "--keep \(keep.lowerBound)-\(keep.upperBound): only \(PlainText.counted(found.count, "repetition")) found",
                file: clip.path)
        }
        var remarks: [String] = []
        if found.isEmpty { remarks.append("nothing is repeated; the recording is skipped") }
        if outcome.analysis.mostPeople > 1 {
            remarks.append("\(outcome.analysis.mostPeople) people in view; the most prominent one is learnt from")
        }
        if shown.cuts > 0 { remarks.append("the picture changes at once; give one uncut recording for each view") }
        Console.shared.warn(remarks.map { Diagnostic("teach.recording", $0, file: clip.path) })
        var lines = [
            "\(PlainText.oneLine(clip.lastPathComponent)): \(PlainText.counted(found.count, "repetition"))"
                + (fault.map { ", wrong: \(PlainText.oneLine($0))" } ?? "")
        ]
        lines += found.enumerated().map { index, one in
            let isKept = shown.kept?.contains(index + 1) ?? true
            return "  \(index + 1).  \(one.start.text(1)) to \(one.end.text(1)) s" + (isKept ? "" : ", left out")
        }
        try StandardOutput().line(lines.joined(separator: "\n"))
        return shown
    }

    private func summary(of exercise: Exercise, taught: [String]) -> [String] {
        guard let shown = exercise.shown else { return [] }
        let views = BodyView.allCases.filter(exercise.views.contains).map(\.rawValue).joined(separator: ", ")
        var lines = [
            "\(PlainText.oneLine(output)): \(exercise.title), from \(PlainText.counted(shown.recordings, "recording")) with "
                + "\(PlainText.counted(shown.repetitions, "repetition")), seen from \(views)",
            "  tempo: out \(shown.out.mean.text(1)) s, pause \(shown.pause.mean.text(1)) s, back \(shown.back.mean.text(1)) s",
        ]
        lines += shown.description
        lines += shown.faults.map { "  fault: \($0.name), from \(PlainText.counted($0.examples, "repetition"))" }
        lines += Set(taught).subtracting(shown.faults.map(\.name)).sorted().map {
            "  fault: \($0) does not differ from the good repetitions"
        }
        return lines
    }

    private static func clips(_ path: String) throws -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [URL(filePath: path)]
        }
        let files = try LabelledClip.entries(URL(filePath: path)).filter { !$0.isFolder && LabelledClip.isClip($0.url) }
        guard !files.isEmpty else { throw KinemaError(.unreadableInput, "contains no recording", file: path) }
        return files.map(\.url)
    }

    /// The recordings of faults, which are named after their folders.
    private static func faults(_ path: String) throws -> [LabelledClip] {
        let url = URL(filePath: path)
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isThere, isFolder.boolValue, try LabelledClip.entries(url).contains(where: \.isFolder) {
            return try LabelledClip.read(path).map { LabelledClip(url: $0.url, label: named($0.label)) }
        }
        let folder = isFolder.boolValue ? url : url.absoluteURL.deletingLastPathComponent()
        return try clips(path).map { LabelledClip(url: $0, label: named(folder.lastPathComponent)) }
    }

    private static func named(_ folder: String) -> String {
        folder.replacing("-", with: " ").replacing("_", with: " ")
    }
}

/// Reads one recording to learn from.
private struct Showing: Analysis {
    let pipeline: PosePipeline
    let fault: String?
    let kept: ClosedRange<Int>?
    private(set) var demonstration: Demonstration?
    private(set) var mostPeople = 0
    private var selector = ProminentPersonSelector()

    init(pipeline: PosePipeline, fault: String?, kept: ClosedRange<Int>?) {
        (self.pipeline, self.fault, self.kept) = (pipeline, fault, kept)
    }

    mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        var shown =
            demonstration.take() ?? Demonstration(aspectRatio: frame.frame.aspectRatio, fault: fault, kept: kept)
        mostPeople = max(mostPeople, frame.poses.count)
        shown.append(selector.select(frame.poses, at: frame.frame.time), at: frame.frame.time)
        demonstration = shown
        return []
    }

    mutating func finish() -> [AnalysisEvent] {
        demonstration?.finish()
        return []
    }

    var result: CoachResult { CoachAnalysis().result }
    var layers: [OverlayLayer] { [] }
    var summary: String { PlainText.counted(demonstration?.repetitions.count ?? 0, "repetition") }
}
