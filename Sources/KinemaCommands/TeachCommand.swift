import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

struct TeachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teach", abstract: "Learns an exercise from recordings of good repetitions.",
        discussion: """
            GOOD are videos or pose files, or folders of them, in which a person repeats the exercise correctly. Three \
            repetitions in one recording are enough to start; more recordings and people widen the range that counts as \
            correct. Kinema finds the repetitions; leave out bad ones with --keep. Wrong examples, in a folder named after \
            their fault, teach that fault. `kinema coach INPUT --exercise FILE` coaches the exercise.
            """)

    @Argument(help: ArgumentHelp("Recordings of good repetitions, or folders of them.", valueName: "good"))
    var good: [String]

    @Option(
        parsing: .upToNextOption,
        help: "Recordings of faults, or folders of them; a fault is named after the folder of its recordings.")
    var wrong: [String] = []

    @Option(
        help: ArgumentHelp(
            "The repetitions to learn from, by number, such as 2-6; requires a single recording.", valueName: "from-to"),
        transform: Self.range)
    var keep: ClosedRange<Int>?

    @Option(help: "The exercise's name. (default: the name of the file)")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The prescribed sets and repetitions, the required percentage of the range shown, and the seconds of a "
                + "repetition: 3x10, 3x10,90 or 3x10,90,3.",
            valueName: "sets x repetitions"),
        transform: Self.dose)
    var dose: ShownExercise.Dose?

    @Option(name: .shortAndLong, help: "The file to write, usually NAME.exercise.json.")
    var output: String

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var turn: TurnOptionGroup

    @OptionGroup var time: TimeOptionGroup

    @OptionGroup var body: BodyOptionGroup

    private static func range(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard let first = ends.first, let last = ends.last, ends.count <= 2, first > 0, first <= last else {
            throw ValidationError("--keep must be numbers of repetitions, such as 2-6")
        }
        return first...last
    }

    private static func dose(_ text: String) throws -> ShownExercise.Dose {
        let form = /([0-9]+) *x *([0-9]+)(?: *, *([0-9]+))?(?: *, *([0-9]+(?:\.[0-9]+)?))?/
        guard let parts = text.wholeMatch(of: form), let sets = Int(parts.1), let repetitions = Int(parts.2),
            case let percent = parts.3.map({ Int($0) ?? 0 }), case let seconds = parts.4.map({ Double($0) ?? 0 }),
            (1...100).contains(sets), (1...1000).contains(repetitions), (10...100).contains(percent ?? 100),
            percent != nil || seconds == nil, (0.1...25).contains(seconds ?? 1)
        else {
            throw ValidationError(
                "--dose must be sets and repetitions, such as 3x10, 3x10,90 with a range, or 3x10,90,3 with seconds")
        }
        return ShownExercise.Dose(
            sets: sets, repetitions: repetitions, range: percent.map { Double($0) / 100 }, seconds: seconds)
    }

    func validate() throws { try requireEnding(output, [".json"], "--output") }

    func run() async throws {
        try await Interruption.guarding { interruption in
            try OutputPlace.check(output)
            try AtomicFile.check(link: URL(filePath: output))
            if let problem = ExerciseLibrary.problem(ofName: exerciseName) {
                throw KinemaError(.invalidArgument, "--name: \(problem)")
            }
            let right = Self.unique(try good.flatMap(Self.clips))
            guard keep == nil || right.count == 1 else {
                throw KinemaError(.invalidArgument, "--keep requires a single recording of good repetitions")
            }
            let faults = try Self.unique(try wrong.flatMap(Self.clips)).map { clip -> (URL, String?) in
                let folder = clip.absoluteURL.deletingLastPathComponent()
                let fault = Self.spaced(folder.lastPathComponent)
                if let problem = ExerciseLibrary.problem(ofText: fault) {
                    throw KinemaError(
                        .invalidArgument, "the folder's name, which names the fault, \(problem); rename it",
                        file: folder.path)
                }
                return (clip, fault)
            }
            var demonstrations: [Demonstration] = []
            for (clip, fault) in right.map({ ($0, nil) }) + faults {
                demonstrations.append(try await demonstration(clip, fault: fault, interruption))
                if interruption.isRaised { throw CancellationError() }
            }
            let learnt = try exercise(from: demonstrations)
            Console.shared.warn(
                zip(right + faults.map(\.0), demonstrations).filter { $1.repetitions.isEmpty }.map { clip, _ in
                    Diagnostic("teach.recording", "no repetitions found; the recording is skipped", file: clip.path)
                })
            Console.shared.warn(Self.oddities(right + faults.map(\.0), demonstrations))
            var files = SideFiles()
            files.write {
                let text = try ExerciseDefinition([learnt]).text + "\n"
                try AtomicFile.write(Array(text.utf8), to: URL(filePath: output))
            }
            files.write {
                let taught = Set(faults.compactMap(\.1))
                try StandardOutput().line(summary(of: learnt, taught: taught).joined(separator: "\n"))
            }
            try files.conclude()
        }
    }

    private var exerciseName: String {
        let file = URL(filePath: output).lastPathComponent
        return name ?? file.split(separator: ".").first.map(String.init) ?? file
    }

    private func exercise(from demonstrations: [Demonstration]) throws -> Exercise {
        let name = exerciseName
        var exercise = try Exercise(learnedFrom: demonstrations, name: name, title: Self.spaced(name))
        if var shown = exercise.shown {
            shown.dose = dose
            exercise.kind = .shown(shown)
        }
        do {
            // What cannot be read back is not written.
            return try JSONDecoder().decode(Exercise.self, from: JSONEncoder.ordered.encode(exercise))
        } catch let error as DecodingError {
            throw KinemaError(.invalidArgument, ExerciseLibrary.message(error))
        }
    }

    /// Reads a recording, prints its repetitions, and warns of what makes a bad example.
    private func demonstration(_ clip: URL, fault: String?, _ interruption: Interruption) async throws -> Demonstration
    {
        let kept = fault == nil ? keep : nil
        var shown: Demonstration?
        var mostPeople = 0
        var selector = ProminentPersonSelector()
        let input = try poseFile.choice(InputChoice(clip.path)).turned(turn.orientation, by: turn.option).timed(
            time.timing)
        let runner = InputRunner(input: input, outputs: [output])
        let analysis = PoseAnalysis(pipeline: try body.precisePipeline)
        let outcome = try await runner.run(
            analysis, interruption,
            onFrame: { frame, _ in
                if shown == nil {
                    shown = Demonstration(aspectRatio: frame.frame.aspectRatio, fault: fault, kept: kept)
                }
                mostPeople = max(mostPeople, frame.poses.count)
                shown?.append(selector.select(frame.poses, at: frame.frame.time), at: frame.frame.time)
            })
        Console.shared.endProgress()
        guard var shown, outcome.run.framesWithDetections > 0 else { throw Console.shared.nobody(in: clip.path) }
        shown.finish()
        let found = shown.repetitions
        if let kept, kept.upperBound > found.count {
            let count = PlainText.counted(found.count, "repetition")
            throw KinemaError(
                .invalidArgument, "--keep \(kept.lowerBound)-\(kept.upperBound): only \(count) found", file: clip.path)
        }
        let remarks = [
            (mostPeople > 1, "\(mostPeople) people in view; only the most prominent one is used"),
            (shown.cuts > 0, "the recording has a cut; give one uncut recording for each view"),
        ]
        Console.shared.warn(remarks.filter(\.0).map { Diagnostic("teach.recording", $0.1, file: clip.path) })
        let title = "\(clip.lastPathComponent): \(PlainText.counted(found.count, "repetition"))"
        let unseen = shown.unseen
        let lines = found.enumerated().map { index, one in
            "  \(index + 1).  \(one.start.text(1)) to \(one.end.text(1)) s"
                + (kept?.contains(index + 1) ?? true ? "" : ", left out")
                + (unseen.contains(index + 1) ? ", skipped: too little of the body is visible" : "")
        }
        try StandardOutput().line(
            ([PlainText.oneLine(title + (fault.map { ", wrong: \($0)" } ?? ""))] + lines).joined(separator: "\n"))
        return shown
    }

    /// Names the recordings that show another exercise than the others.
    private static func oddities(_ clips: [URL], _ demonstrations: [Demonstration]) -> [Diagnostic] {
        let odd = Demonstration.odd(among: demonstrations)
        return odd.map { index in
            let others = odd.count == demonstrations.count ? "each of the others" : "the other recordings"
            return Diagnostic(
                "teach.odd", "looks like another exercise than \(others); teach one exercise at a time",
                file: clips[index].path)
        }
    }

    private func summary(of exercise: Exercise, taught: Set<String>) -> [String] {
        guard let shown = exercise.shown else { return [] }
        let views = BodyView.allCases.filter(exercise.views.contains).map(\.rawValue).joined(separator: ", ")
        let tempo = shown.tempo
        return [
            "\(PlainText.oneLine(output)): \(exercise.title), from \(PlainText.counted(shown.recordings, "recording")) with "
                + "\(PlainText.counted(shown.repetitions, "repetition")), seen from \(views)",
            "  tempo: out \(tempo.out.mean.text(1)) s, pause \(tempo.pause.mean.text(1)) s, back "
                + "\(tempo.back.mean.text(1)) s",
        ] + shown.description
            + shown.faults.map { "  fault: \($0.name), from \(PlainText.counted($0.examples, "repetition"))" }
            + taught.subtracting(shown.faults.map(\.name)).sorted().map {
                "  fault: \($0) does not differ from the good repetitions"
            }
    }

    /// A recording, or those in a folder and in its folders.
    private static func clips(_ path: String) throws -> [URL] {
        guard FileManager.default.isFolder(path) else { return [URL(filePath: path)] }
        let files = try LabelledClip.entries(URL(filePath: path)).flatMap { entry in
            entry.isFolder ? try LabelledClip.entries(entry.url).filter { !$0.isFolder } : [entry]
        }.map(\.url).filter { LabelledClip.isClip($0) && !BoundedFile.isSpecial($0) }
        guard !files.isEmpty else { throw KinemaError(.unreadableInput, "contains no recording", file: path) }
        return files
    }

    /// The recordings without those that are given again.
    private static func unique(_ clips: [URL]) -> [URL] {
        var known: Set<String> = []
        let marked = clips.map { ($0, isNew: known.insert($0.resolvingSymlinksInPath().path).inserted) }
        Console.shared.warn(
            marked.filter { !$0.isNew }.map {
                Diagnostic("teach.recording", "given more than once; used once", file: $0.0.path)
            })
        return marked.filter(\.isNew).map(\.0)
    }

    private static func spaced(_ name: String) -> String { name.replacing("-", with: " ").replacing("_", with: " ") }
}
