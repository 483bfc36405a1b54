import Foundation
import Kinema

actor BatchRun {
    private let runner: JobRunner
    private let options: [String]
    private let format: OutputFormat
    private let folder: URL
    private let mark: String
    private(set) var manifest: BatchManifest
    private var journal: BatchJournal
    private let meter: BatchMeter
    /// The folder for the parts of videos that are not finished, if they are kept.
    private let parts: URL?
    private(set) var counts: [BatchManifest.Status: Int] = [:]

    private var interruption: Interruption { runner.interruption }

    init(
        _ runner: JobRunner, options: [String], format: OutputFormat, folder: URL, mark: String,
        manifest: BatchManifest, journal: BatchJournal, parts: URL?, meter: BatchMeter
    ) {
        (self.runner, self.options, self.format, self.folder) = (runner, options, format, folder)
        (self.mark, self.manifest, self.journal, self.meter) = (mark, manifest, journal, meter)
        self.parts = parts
    }

    /// Works on everything; an interrupted run can be resumed.
    func work(through plan: BatchPlan, _ tuning: WorkerTuning) async throws {
        try journal.forget(plan.items(.done).map(\.input.source))
        for item in plan.items(.deadly) {
            let deaths = journal.deaths[item.input.source] ?? journal.most
            let error =
                "kinema crashed or was killed \(deaths) times on this video, which is skipped until "
                + "\(BatchJournal.name) in the folder of the results is deleted"
            try finish(item.input, status: .failed, seconds: 0, result: nil, error: error)
        }
        try await work(on: plan.items(.todo), tuning)
        // Last and one at a time, so that a crash affects no other video.
        try await work(on: plan.items(.suspect), WorkerTuning(1, processors: 1))
        try manifest.settle()
        checkResults(of: plan)
    }

    /// Counts results that were removed since they were written as failed.
    private func checkResults(of plan: BatchPlan) {
        let lost = plan.items.compactMap { manifest.entries[$0.input.source]?.result }.count { result in
            !FileManager.default.fileExists(atPath: folder.appending(path: result).path)
        }
        guard lost > 0 else { return }
        counts[.failed, default: 0] += lost
        Console.shared.line(
            "kinema: \(PlainText.counted(lost, "result")) removed from \(folder.path) meanwhile; run the same command with "
                + "--resume to make them again")
    }

    private enum Event { case ended, measured(Double?) }

    private func work(on items: [BatchPlan.Item], _ tuning: WorkerTuning) async throws {
        let interruption = interruption
        var tuning = tuning
        try await withThrowingTaskGroup(of: Event.self) { group in
            var rest = items[...]
            var running = 0
            func fill() {
                while running < tuning.workers, !interruption.isRaised, let item = rest.popFirst() {
                    running += 1
                    group.addTask {
                        try await self.work(on: item)
                        return .ended
                    }
                }
            }
            func measure() {
                // Nothing to choose if all videos are in progress.
                guard !tuning.isSettled, !rest.isEmpty else { return }
                let meter = meter
                group.addTask { .measured(await meter.rate()) }
            }
            fill()
            measure()
            while running > 0, let event = try await group.next() {
                switch event {
                case .ended: running -= 1
                case .measured(let rate):
                    // With the last videos, fewer run than the number being measured.
                    guard let rate, !rest.isEmpty else { continue }
                    tuning.take(rate: rate)
                    if let summary = tuning.summary { Console.shared.line("kinema: \(summary)") }
                }
                fill()
                if case .measured = event { measure() }
            }
            group.cancelAll()
        }
    }

    /// Runs the command on one video. Throws only if the manifest cannot be written or a component is missing.
    private func work(on item: BatchPlan.Item) async throws {
        let input = item.input
        guard !interruption.isRaised else { return }
        let file: ResultFileHandle
        do {
            file = try ResultFileHandle(folder.appending(path: item.result))
        } catch {
            // If nothing can be written there, neither can the manifest, which ends the run.
            let (line, _) = JobRunner.failure(error, input.path)
            return try finish(input, status: .failed, seconds: 0, result: nil, error: line)
        }
        try journal.begin(input.source)
        // The result's path without its ending, for {} in the options.
        let stem = folder.appending(path: item.result).deletingPathExtension().path
        // Parts of another version, of other options or of a changed video are no use.
        let kind = [KinemaVersion.text, mark, input.source, "\(input.state?.modified ?? 0)"].joined(separator: " ")
        let parts = parts?.appending(path: BatchPlan.mark(kind))
        let options =
            options.map { $0.replacing("{}", with: stem) } + ["--format", format.rawValue]
            + (parts.map { ["--parts", $0.path] } ?? [])
        let digest = await Self.digest(of: input)
        meter.begin(input.path, bytes: input.state?.size ?? 0)
        let started = ContinuousClock.now
        let outcome = await BatchMeter.$current.withValue(meter) {
            await runner.run(input.path, options: options, into: file)
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        if outcome.isFinal, let parts { try? FileManager.default.removeItem(at: parts) }
        switch outcome {
        case .interrupted:
            file.discard()
            meter.end(input.path, failed: false, isFinished: false)
            try journal.end(input.source)
        case .missing(let error):
            file.discard()
            try journal.end(input.source)
            throw error
        case .failed(let error, _):
            file.discard()
            try finish(input, digest, status: .failed, seconds: seconds, result: nil, error: error)
        case .done, .nothing:
            do {
                try file.commit()
            } catch {
                let (line, _) = JobRunner.failure(error, input.path)
                return try finish(input, digest, status: .failed, seconds: seconds, result: nil, error: line)
            }
            let status = outcome.isDone ? BatchManifest.Status.done : .nothing
            try finish(input, digest, status: status, seconds: seconds, result: item.result, error: nil)
        }
    }

    /// Not on the actor, since a large file takes long.
    private nonisolated static func digest(of input: BatchInput) async -> String? { input.sha256 }

    private func finish(
        _ input: BatchInput, _ digest: String? = nil, status: BatchManifest.Status, seconds: Double, result: String?,
        error: String?
    ) throws {
        let state = input.state
        try manifest.add(
            BatchManifest.Entry(
                source: input.source, status: status, seconds: (seconds * 1000).rounded() / 1000, result: result,
                error: error, options: mark, size: state?.size, modified: state?.modified, sha256: digest))
        if seconds > 0 { try journal.end(input.source) }
        counts[status, default: 0] += 1
        if let error { Console.shared.line("kinema: \(input.path): \(error)") }
        let took = String(format: "%.1f s", seconds)
        let cells = [status.rawValue, took, PlainText.oneLine(input.path), result.map(PlainText.oneLine) ?? "-"]
        try StandardOutput().write(Array((cells.joined(separator: "\t") + "\n").utf8))
        meter.end(input.path, failed: status == .failed)
    }
}

/// Chooses how many videos to work on at once: more while that gives more frames per second.
struct WorkerTuning {
    struct Measure: Equatable {
        var workers: Int
        var rate: Double
    }

    private(set) var workers: Int
    private(set) var measures: [Measure] = []
    private(set) var isSettled: Bool
    private let most: Int

    /// The gain in speed that justifies more videos in memory: above the noise of two equal measurements.
    static let gain = 1.05
    /// An upper bound on the memory for one video's decoder, pictures and share of the models, in bytes.
    static let memoryPerVideo = 512 << 20

    /// Uses the given number, or searches from half the processors, since a video keeps about two busy, up to 1.5 times
    /// the processors or the limit of `memory` (bytes; nil if unknown).
    init(_ given: Int?, processors: Int, memory: Int? = nil) {
        let fitting = memory.map { max(1, $0 / Self.memoryPerVideo) } ?? .max
        most = min(fitting, max(2, processors * 3 / 2))
        workers = given ?? min(most, max(1, processors / 2))
        isSettled = given != nil || workers >= most
    }

    mutating func take(rate: Double) {
        guard !isSettled else { return }
        let best = measures.last
        measures.append(Measure(workers: workers, rate: rate))
        if let best, rate < best.rate * Self.gain {
            (workers, isSettled) = (best.workers, true)
        } else if workers >= most {
            isSettled = true
        } else {
            workers = min(most, workers + max(1, workers / 4))
        }
    }

    /// The choice and its reason; nil before a measurement.
    var summary: String? {
        guard isSettled, !measures.isEmpty else { return nil }
        let speeds = measures.map { "\($0.workers) at once gave \(Int($0.rate.rounded())) frames/s" }
        return "\(workers) at once is best here: \(speeds.joined(separator: ", "))"
    }
}
