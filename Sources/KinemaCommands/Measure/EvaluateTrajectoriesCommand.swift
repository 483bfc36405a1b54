import ArgumentParser
import Foundation
import Kinema
import KinemaSynth

struct EvaluateTrajectoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories",
        abstract: "Detects balls thrown in randomly rendered scenes and compares the flights with the ground truth.",
        discussion: """
            Renders balls thrown among people who stand, walk and exercise (kinema synth --scene throws) and detects \
            them. It prints each missed, duplicate or false flight, then precision, recall, F1 and the errors \
            of the parabolas. The videos are deleted afterwards.
            """)

    @Option(help: "The number of scenes.")
    var clips = 40

    @OptionGroup var scenes: RenderedScenes

    @Option(help: "Count flights of at least this confidence, 0 to 1.")
    var confidence = 0.9

    @Option(help: "Keep the videos and their ground truth in this folder.")
    var keep: String?

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        try require(clips, in: 1...10_000, "--clips")
        try require(confidence, in: 0...1, "--confidence")
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var score = TrajectoriesScore(confidence: confidence)
            let (output, format) = (StandardOutput(), results.format)
            try await scenes.each(clips, note: "rendering and detecting", keep: keep, interruption) { index in
                .throwing(seed: scenes.seed + UInt64(index))
            } score: { index, scene, url in
                let flights = try await interruption.cancelling { try await Self.flights(in: url) }
                let lines = score.add(
                    scene.flightTruth(), flights, size: (Double(scene.size.width), Double(scene.size.height)))
                if format == .text {
                    for line in lines { try output.line("scene \(scenes.seed + UInt64(index)): \(line)") }
                }
            }
            try output.write(score.text, score.fields, as: format)
        }
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
