import ArgumentParser
import Foundation
import KinemaCommands
import Kinema
import KinemaSynth

struct SynthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth",
        abstract: "Renders clips of people exercising and writes the exact ground truth beside them.")

    @Option(
        help: """
            What to render: demo, random, no-exercise (walking, turning, talking, sitting down, picking things up), \
            two-people, crossing, crowd (people who exercise in rows, and others who walk through them), throws (balls thrown among \
            people), toss (a game of bean-bag toss), a movement to measure from the side (\(Self.measured)), an exercise (\(Self.exercises)) or an activity (\(Self.activities)).
            """)
    var scene = "demo"

    @Option(help: "For an exercise: the number of repetitions.")
    var repetitions = 5

    @Option(help: "For an exercise: the fault of about half of the repetitions (\(Self.faults)).")
    var fault: String?

    @Option(help: "For a crowd: the number of people, 2 to 50.")
    var people = 10

    @Option(help: "For a crowd: its length in seconds, 1 to 600.")
    var seconds = 12.0

    @Option(help: "The random seed; the same seed gives the same clip on every machine.")
    var seed: UInt64 = 1

    @Option(help: "Render this many clips, with seeds that count up from --seed, into the folder --output.")
    var clips: Int?

    @Option(
        help:
            "For an exercise, a crowd or a movement to measure: the size of the video, as WIDTHxHEIGHT. (default: 640x480, 960x540, 1280x720)"
    )
    var size: String?

    @Option(help: "For an exercise, a crowd or a movement to measure: frames per second. (default: 30, 25, 30)")
    var frameRate: Int?

    @Option(
        help: ArgumentHelp(
            "For an exercise: the view and known deviations, as side,lean=10,depth=0.7.", visibility: .hidden))
    var alter: String?

    @Option(
        name: .shortAndLong,
        help: "The video to write (.mp4), or with --clips the folder; optional with --truth.")
    var output: String?

    @Option(
        help: "The JSON file for the ground truth; without --output only this is written. (default: beside the video)")
    var truth: String?

    func validate() throws {
        try require(people, in: 2...50, "--people")
        try require(seconds, in: 1...600, "--seconds")
        guard output != nil || (truth != nil && clips == nil) else {
            throw ValidationError(
                "give the video to write with --output, or only a file for the ground truth with --truth")
        }
        guard let clips else { return }
        try require(clips, in: 1...10_000, "--clips")
        guard truth == nil else {
            throw ValidationError(
                "--truth cannot be combined with --clips, which writes the ground truth beside each video")
        }
        guard seed <= UInt64(Int.max) - UInt64(clips) else {
            throw ValidationError("--seed is too large for this many clips")
        }
    }

    func run() async throws {
        for name in [output, truth].compactMap(\.self) { try OutputPlace.checkName(name) }
        _ = try recipe(seed: seed)
        try await Interruption.guarding { interruption in
            guard let output else { return try writeTruth() }
            guard let clips else {
                let url = URL(filePath: output)
                let beside = url.deletingPathExtension().appendingPathExtension("json")
                try render(seed: seed, to: url, truth: truth.map { URL(filePath: $0) } ?? beside, interruption)
                return
            }
            let folder = try OutputFolder.make(output)
            for seed in seed..<seed + UInt64(clips) where !interruption.isRaised {
                let stem = folder.appending(path: String(format: "%03d", Int(seed)))
                try render(
                    seed: seed, to: stem.appendingPathExtension("mp4"), truth: stem.appendingPathExtension("json"),
                    interruption)
            }
        }
    }

    /// Writes only the ground truth, in a fraction of the time that rendering takes.
    private func writeTruth() throws {
        guard let truth else { return }
        let scene = try recipe(seed: seed)
        try SynthWriter.write(scene.truth(), to: URL(filePath: truth))
        try StandardOutput().line("\(truth): ground truth of \(scene.extent)")
    }

    private func render(seed: UInt64, to url: URL, truth truthURL: URL, _ interruption: Interruption) throws {
        let scene = try recipe(seed: seed)
        guard truthURL.standardizedFileURL.path != url.standardizedFileURL.path else {
            throw KinemaError(
                .invalidArgument,
                "the ground truth would overwrite the video; end the video's name in .mp4, or use --truth",
                file: url.path)
        }
        try SynthWriter.write(scene, to: url, truth: truthURL) { done, total in
            Console.shared.progress(done, of: total, note: "rendering")
            if interruption.isRaised { throw CancellationError() }
        }
        Console.shared.endProgress()
        let name = clips == nil ? output ?? url.path : url.path
        try StandardOutput().line("\(name): \(scene.extent); ground truth in \(truthURL.path)")
    }
}

extension SynthScene {
    fileprivate var extent: String {
        [
            PlainText.counted(frameCount, "frame"), PlainText.counted(people.count, "person", "people"),
            PlainText.counted(count, "repetition"),
        ].joined(separator: ", ")
    }
}

extension SynthCommand {
    private static let exercises = Movement.allCases.map(\.rawValue).joined(separator: ", ")
    private static let faults = MovementFault.allCases.map(\.rawValue).joined(separator: ", ")
    private static let measured = SynthScene.measuredNames.joined(separator: ", ")
    private static let activities = Activity.allCases.map(\.rawValue).joined(separator: ", ")

    private func recipe(seed: UInt64) throws -> SynthScene {
        if scene == "crowd", fault == nil {
            return .crowd(people: people, seed: seed, seconds: seconds, settings: try settings("960x540", 25))
        }
        if let scene = SynthScene.measured(scene, seed: seed, settings: try settings("1280x720", 30)) { return scene }
        if let alter { return try altered(alter, seed: seed) }
        guard let fault else {
            return try named(seed: seed, settings())
        }
        guard let fault = MovementFault(rawValue: fault) else {
            throw ValidationError("--fault must be one of \(Self.faults)")
        }
        guard let movement = Movement(rawValue: scene), fault.movements.contains(movement) else {
            let able = fault.movements.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--fault \(fault.rawValue) can be rendered with --scene \(able)")
        }
        try require(repetitions, in: 1...100, "--repetitions")
        return try .coached(movement, fault: fault, seed: seed, repetitions: repetitions, settings: settings())
    }

    private func named(seed: UInt64, _ settings: SynthScene.Settings) throws -> SynthScene {
        switch scene {
        case "demo": return .demo
        case "random": return .random(seed: seed)
        case "no-exercise": return .withoutExercise(seed: seed)
        case "two-people": return .twoPeople(seed: seed)
        case "crossing": return .crossing(seed: seed)
        case "toss": return .toss(seed: seed)
        case "throws": return .throwing(seed: seed)
        default:
            if let movement = Movement(rawValue: scene) {
                try require(repetitions, in: 1...100, "--repetitions")
                return .exercise(movement, repetitions: repetitions, seed: seed, settings: settings)
            }
            if let activity = Activity(rawValue: scene) { return .activity(activity, seed: seed) }
            throw ValidationError(
                "unknown scene \(scene); use one of demo, random, no-exercise, two-people, crossing, crowd, throws, toss, "
                    + "\(Self.measured), \(Self.exercises), " + Self.activities)
        }
    }

    private func altered(_ alter: String, seed: UInt64) throws -> SynthScene {
        guard let movement = Movement(rawValue: scene) else { throw ValidationError("--alter requires an exercise") }
        try require(repetitions, in: 1...100, "--repetitions")
        var (change, view) = (MovementChange(), nil as SynthCamera.View?)
        for part in alter.split(separator: ",") {
            let pair = part.split(separator: "=").map(String.init)
            if let known = SynthCamera.View(rawValue: String(part)) {
                view = known
            } else if let amount = pair.first.flatMap(MovementChange.Amount.init(rawValue:)),
                let value = pair.last.flatMap(Double.init), (0.1...90).contains(value)
            {
                change.amounts[amount] = value
            } else {
                throw ValidationError("--alter: \(part) is unknown")
            }
        }
        return try .exercise(
            movement, repetitions: repetitions, seed: seed, view: view, change: change, settings: settings())
    }

    private func settings(_ usualSize: String = "640x480", _ usualRate: Int = 30) throws -> SynthScene.Settings {
        let frameRate = frameRate ?? usualRate
        let sides = (size ?? usualSize).split(separator: "x").compactMap { Int($0) }
        // Encoders want even sides.
        guard sides.count == 2, sides.allSatisfy({ (64...3840).contains($0) && $0 % 2 == 0 }) else {
            throw ValidationError("--size must have even sides of 64 to 3840, such as 640x480")
        }
        try require(frameRate, in: 1...120, "--frame-rate")
        return SynthScene.Settings(width: sides[0], height: sides[1], frameRate: FrameRate(timescale: frameRate))
    }
}
