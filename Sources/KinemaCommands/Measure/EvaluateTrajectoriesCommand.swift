import ArgumentParser
import Foundation
import Kinema
import KinemaSynth

/// `kinema evaluate trajectories`: detects balls thrown in rendered scenes and compares with their exact truth.
struct EvaluateTrajectoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories",
        abstract: "Detects balls thrown in randomly rendered scenes and compares with their exact truth.",
        discussion: """
            Renders balls thrown among people who stand, walk and exercise (kinema synth --scene throws) and detects \
            them. It prints each flight that is missed, duplicate or false, then precision, recall, F1 and the errors \
            of the parabolas. The videos are deleted afterwards.
            """)

    @Option(help: "The number of scenes.")
    var clips = 40

    @Option(help: "The seed of the first scene; it increases by 1 for each scene.")
    var seed: UInt64 = 0

    @Option(help: "Count flights of at least this confidence, 0 to 1.")
    var confidence = 0.9

    @Option(help: "Keep the videos and their truth in this folder.")
    var keep: String?

    @OptionGroup var results: FormatOptionGroup<TextOrJSON>

    func validate() throws {
        guard (1...10_000).contains(clips) else { throw ValidationError("--clips takes 1 to 10000") }
        guard seed <= UInt64(Int.max) - 10_000 else {
            throw ValidationError("--seed takes at most \(Int.max - 10_000)")
        }
        guard (0...1).contains(confidence) else { throw ValidationError("--confidence takes 0 to 1") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let scratch = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
            let folder = try OutputFolder.make(keep ?? scratch.path)
            defer { try? FileManager.default.removeItem(at: scratch) }
            var score = TrajectoriesScore(confidence: confidence)
            let (output, format) = (StandardOutput(), results.format)
            for index in 0..<clips where !interruption.isRaised {
                let seed = seed + UInt64(index)
                Console.shared.progress(index, of: clips, note: "rendering and detecting")
                let name = keep == nil ? "throws" : String(format: "throws-%04d", Int(seed))
                let url = folder.appending(path: name + ".mp4")
                let (scene, flights): (SynthScene, [Flight])
                do {
                    scene = try render(seed, to: url, interruption)
                    flights = try await interruption.cancelling { try await Self.flights(in: url) }
                } catch is CancellationError where interruption.isRaised {
                    break
                }
                let lines = score.add(
                    scene.flightTruth(), flights, size: (Double(scene.size.width), Double(scene.size.height)))
                if format == .text { for line in lines { try output.line("scene \(seed): \(line)") } }
            }
            Console.shared.endProgress()
            try output.write(score.text, score.fields, as: format)
        }
    }

    /// Renders a scene, unless its video exists from an earlier run.
    private func render(_ seed: UInt64, to url: URL, _ interruption: Interruption) throws -> SynthScene {
        let scene = SynthScene.throwing(seed: seed)
        if keep != nil, FileManager.default.fileExists(atPath: url.path) { return scene }
        let truth = keep.map { _ in url.deletingPathExtension().appendingPathExtension("json") }
        try SynthWriter.write(scene, to: url, truth: truth) { _, _ in
            if interruption.isRaised { throw CancellationError() }
        }
        return scene
    }

    private static func flights(in url: URL) async throws -> [Flight] {
        let request = DetectTrajectoriesRequest(trajectoryLength: FlightTracker.minimumPoints)
        var known: [UUID: Flight] = [:]
        for try await element in try await VideoReader.read(contentsOf: url) {
            for flight in request.flights(in: element.feature) { known[flight.id] = flight }
        }
        return known.values.sorted { $0.start < $1.start }
    }
}
