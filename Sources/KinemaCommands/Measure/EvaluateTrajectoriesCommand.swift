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

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    func validate() throws {
        guard (1...10_000).contains(clips) else { throw ValidationError("--clips takes 1 to 10000") }
        guard seed <= UInt64(Int.max) - 10_000 else {
            throw ValidationError("--seed takes at most \(Int.max - 10_000)")
        }
        guard (0...1).contains(confidence) else { throw ValidationError("--confidence takes 0 to 1") }
        guard format == .text || format == .json else { throw ValidationError("--format takes text or json") }
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
            try output.line(format == .text ? score.text : score.json)
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

/// The agreement of detected flights with the exact truth of rendered ones.
struct TrajectoriesScore {
    /// The tolerance for the curvature of a parabola, as a share.
    static let curvatureTolerance = 0.03

    let confidence: Double
    private(set) var found = 0
    private(set) var missed = 0
    private(set) var surplus = 0
    /// The errors of the curvature a, as a share of the true one.
    private(set) var curvatureErrors: [Double] = []
    /// The largest distance of each parabola from the true one along the true path, in pixels.
    private(set) var curveErrors: [Double] = []
    /// The median distance of each flight's points from the true ones, in pixels.
    private(set) var pointErrors: [Double] = []

    init(confidence: Double) { self.confidence = confidence }

    /// Adds a scene; returns one line per missed, false or inexact flight.
    mutating func add(
        _ truth: [FlightTruth], _ flights: [Flight], size: (width: Double, height: Double)
    ) -> [String] {
        var lines: [String] = []
        var used: Set<UUID> = []
        for one in truth {
            let best = flights.compactMap { flight in
                Agreement(flight, one, width: size.width, height: size.height).map { (flight, $0) }
            }.max { $0.1.count < $1.1.count }
            let description = String(
                format: "%.2f to %.2f s, %d points, radius %.1f px", one.start, one.end, one.times.count,
                one.radius * size.width)
            guard let (flight, agreement) = best, flight.confidence >= confidence else {
                missed += 1
                lines.append("missed \(description), " + (best.map { Self.reasons($0.0) } ?? "nothing was tracked"))
                continue
            }
            used.insert(flight.id)
            found += 1
            pointErrors.append(agreement.median)
            lines += compare(flight, one, size, description)
        }
        for flight in flights where flight.confidence >= confidence && !used.contains(flight.id) {
            surplus += 1
            lines.append(
                String(
                    format: "false or duplicate: %.2f to %.2f s, %d points, radius %.1f px, ", flight.start, flight.end,
                    flight.points.count, flight.radius * size.width) + Self.reasons(flight))
        }
        return lines
    }

    private mutating func compare(
        _ flight: Flight, _ truth: FlightTruth, _ size: (width: Double, height: Double), _ description: String
    ) -> [String] {
        guard truth.coefficients.count == 3 else { return [] }
        let aspect = size.width / size.height
        let curve = flight.parabola
        let (a, b, c) = (truth.coefficients[0], truth.coefficients[1], truth.coefficients[2])
        let error = abs(curve.a * aspect / a - 1)
        curvatureErrors.append(error)
        let deviations = truth.points.map { abs(curve($0[0]) * aspect - ((a * $0[0] + b) * $0[0] + c)) * size.height }
        curveErrors.append(deviations.max() ?? 0)
        guard error > Self.curvatureTolerance else { return [] }
        return [
            String(format: "curvature off by %.1f %% (%.1f px): ", error * 100, deviations.max() ?? 0) + description
        ]
    }

    /// The reasons for the confidence of a flight: what speaks most against it.
    private static func reasons(_ flight: Flight) -> String {
        let doubts = FlightConfidence(flight).doubts.joined(separator: "; ")
        return String(format: "confidence %.2f, %d points", flight.confidence, flight.points.count)
            + (doubts.isEmpty ? "" : ": " + doubts)
    }

    private var precision: Double { Double(found) / Double(max(1, found + surplus)) }
    private var recall: Double { Double(found) / Double(max(1, found + missed)) }
    private var score: Double { 2 * Double(found) / Double(max(1, 2 * found + missed + surplus)) }

    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        values.isEmpty ? 0 : values.sorted()[min(values.count - 1, Int(share * Double(values.count)))]
    }

    private var measures: [(name: String, key: String, value: Double)] {
        let correct = curvatureErrors.count { $0 <= Self.curvatureTolerance }
        return [
            ("precision", "precision", precision), ("recall", "recall", recall), ("F1", "f1", score),
            ("curvature within 3 %", "curvature", Double(correct) / Double(max(1, curvatureErrors.count))),
            ("median error of the curvature", "median_curvature_error", Self.quantile(curvatureErrors, 0.5)),
            ("median distance of points, pixels", "median_point_error", Self.quantile(pointErrors, 0.5)),
            (
                "median of the parabolas' largest distance, pixels", "median_curve_error",
                Self.quantile(curveErrors, 0.5)
            ),
            ("its 95th percentile", "p95_curve_error", Self.quantile(curveErrors, 0.95)),
        ]
    }

    var text: String {
        let head =
            "\(PlainText.counted(found + missed, "flight")): \(found) found, \(missed) missed, "
            + "\(surplus) false or duplicate"
        return ([head] + measures.map { "\($0.name): " + String(format: "%.3f", $0.value) }).joined(separator: "\n")
    }

    var json: String {
        var json = JSONText()
        json.object { json in
            for (key, value) in [("flights", found + missed), ("found", found), ("surplus", surplus)] {
                json.key(key)
                json.integer(value)
            }
            for measure in measures {
                json.key(measure.key)
                json.number(measure.value, decimals: 4)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// The agreement of a detected flight with a true one; nil if they are not the same.
private struct Agreement {
    /// The number of points on the true object.
    var count = 0
    /// The median distance of the points, in pixels.
    var median = 0.0

    /// Requires at least three points, and half of all points, within 0.6 of the object's radius or three pixels.
    init?(_ flight: Flight, _ truth: FlightTruth, width: Double, height: Double) {
        let positions = Dictionary(
            zip(truth.times.map { Int(($0 * 1000).rounded()) }, truth.points), uniquingKeysWith: { first, _ in first })
        var distances: [Double] = []
        for point in flight.points {
            guard let position = positions[Int((point.time * 1000).rounded())] else { continue }
            let offset = SIMD2(
                (point.object.position.x - position[0]) * width, point.object.position.y * width - position[1] * height)
            distances.append((offset * offset).sum().squareRoot())
        }
        count = distances.count { $0 < max(3, 0.6 * truth.radius * width) }
        guard count >= 3, 2 * count >= flight.points.count else { return nil }
        median = distances.sorted()[distances.count / 2]
    }
}
