import ArgumentParser
import Foundation
import Kinema
import KinemaSynth

/// `kinema evaluate trajectories`: looks for balls thrown in rendered scenes and compares with their exact truth.
struct EvaluateTrajectoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories",
        abstract: "Finds balls thrown in randomly rendered scenes and compares with their exact truth.",
        discussion: """
            Renders balls thrown among people who stand, walk and exercise (kinema synth --scene throws), looks for \
            them, and prints each flight that was missed, told twice or is none, then precision, recall, F1, and how far \
            the parabolas are off. The videos are deleted again.
            """)

    @Option(help: "How many scenes.")
    var clips = 40

    @Option(help: "The first scene's seed; the others count up from it.")
    var seed: UInt64 = 0

    @Option(help: "Count flights of at least this confidence, 0 to 1.")
    var confidence = 0.9

    @Option(help: "Keep the videos and their truth in this folder.")
    var keep: String?

    @Option(help: "What standard output gets: text or json.")
    var format = OutputFormat.text

    func validate() throws {
        guard (1...10_000).contains(clips) else { throw ValidationError("--clips takes 1 to 10000") }
        guard seed <= UInt64(Int.max) - 10_000 else { throw ValidationError("--seed is too large for so many clips") }
        guard (0...1).contains(confidence) else { throw ValidationError("--confidence takes 0 to 1") }
        guard format == .text || format == .json else { throw ValidationError("--format takes text or json here") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let scratch = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
            let folder = try OutputFolder.make(keep ?? scratch.path)
            defer { try? FileManager.default.removeItem(at: scratch) }
            var score = TrajectoriesScore(confidence: confidence)
            let output = StandardOutput()
            for index in 0..<clips where !interruption.isRaised {
                let seed = seed + UInt64(index)
                Console.shared.progress(index, of: clips, note: "rendering and looking")
                let name = keep == nil ? "throws" : String(format: "throws-%04d", Int(seed))
                let url = folder.appending(path: name + ".mp4")
                let scene = try render(seed, to: url, interruption)
                let flights = try await flights(in: url)
                let lines = score.add(
                    scene.flightTruth(), flights, size: (Double(scene.size.width), Double(scene.size.height)))
                if format == .text { for line in lines { try output.line("scene \(seed): \(line)") } }
            }
            Console.shared.endProgress()
            try output.line(format == .text ? score.text : score.json)
        }
    }

    /// Renders a scene, unless it was kept from an earlier run.
    private func render(_ seed: UInt64, to url: URL, _ interruption: Interruption) throws -> SynthScene {
        let scene = SynthScene.throwing(seed: seed)
        if keep != nil, FileManager.default.fileExists(atPath: url.path) { return scene }
        let truth = keep.map { _ in url.deletingPathExtension().appendingPathExtension("json") }
        try SynthWriter.write(scene, to: url, truth: truth) { _, _ in
            if interruption.isRaised { throw CancellationError() }
        }
        return scene
    }

    private func flights(in url: URL) async throws -> [Flight] {
        let request = DetectTrajectoriesRequest(trajectoryLength: FlightTracker.minimumPoints)
        var known: [UUID: Flight] = [:]
        for try await element in try await VideoReader.read(contentsOf: url) {
            for flight in request.flights(in: element.feature) { known[flight.id] = flight }
        }
        return known.values.sorted { $0.start < $1.start }
    }
}
