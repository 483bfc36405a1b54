package import Foundation
import KinemaCore
import Synchronization

/// A line of results that waits to be sent, and the number of its camera.
package struct WaitingLine: Sendable {
    package var camera: Int
    package var text: [UInt8]
}

/// A bounded queue of lines for a receiver; when it is full, the oldest line is discarded.
package final class LineQueue: Sendable {
    private struct Waiting {
        var lines: [WaitingLine] = []
        /// The number of first lines that are being sent.
        var sent = 0
    }

    private let waiting = Mutex(Waiting())
    private let receiver: any LineReceiver
    private let metrics: WatchMetrics
    private let kept: UndeliveredLines?
    private let report: @Sendable (String) -> Void

    /// The maximum number of waiting lines: some minutes of a busy camera.
    package static let most = 10_000
    /// The maximum number of lines and bytes sent at once.
    private static let mostAtOnce = 500, mostBytes = 1 << 20
    private static let shortestPause = Duration.milliseconds(200), longestPause = Duration.seconds(30)
    /// The number of failures allowed at the end.
    private static let tries = 3

    /// The time that is left at the end for what is being sent and for what waits: as much as each request has before
    /// (`Webhook`), and a pause.
    package static let lastTime = Duration.seconds(22)

    /// Makes a queue that begins with the lines `kept` by the last run; `report` takes a line for the user when the receiver begins to fail or lines are lost at the end.
    package init(
        _ receiver: any LineReceiver, _ metrics: WatchMetrics, kept: UndeliveredLines? = nil,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.receiver, self.metrics, self.kept, self.report) = (receiver, metrics, kept, report)
        let earlier = kept?.read() ?? []
        waiting.withLock { $0.lines = earlier }
    }

    package func add(_ text: [UInt8], of camera: Int) {
        let lost = waiting.withLock { waiting -> Int? in
            waiting.lines.append(WaitingLine(camera: camera, text: text))
            // Lines that are being sent may still be taken.
            return waiting.lines.count > Self.most ? waiting.lines.remove(at: waiting.sent).camera : nil
        }
        guard let lost else { return }
        metrics.update(lost) { $0.undelivered += 1 }
        metrics.loses(receiver.name)
    }

    /// Sends lines until cancelled; after a failure it waits, twice as long each time.
    package func run() async {
        var pause = Self.shortestPause
        var hasFailed = false
        while !Task.isCancelled {
            let failure = await sendSome()
            metrics.delivers(failure == nil, to: receiver.name)
            if let failure, !hasFailed {
                // Messages of libraries may end like a sentence.
                let reason = failure.hasSuffix(".") ? String(failure.dropLast()) : failure
                report("kinema: \(receiver.name): \(reason); results wait, at most \(Self.most)")
            }
            hasFailed = failure != nil
            pause = hasFailed ? min(pause * 2, Self.longestPause) : Self.shortestPause
            try? await Task.sleep(for: pause)
        }
    }

    /// Ends the task that runs this, sends the waiting lines and ends the connection, even in a cancelled task. Gives
    /// up after `limit`, or when the receiver has failed `tries` times; the rest counts as undelivered and is kept for the
    /// next run. Returns whether everything was delivered.
    @discardableResult
    package func finish(_ running: Task<Void, Never>, within limit: Duration = lastTime) async -> Bool {
        running.cancel()
        await Self.wait(limit) { [self] in
            await running.value
            var (failures, pause) = (0, Self.shortestPause)
            while !waiting.withLock({ $0.lines.isEmpty }), !Task.isCancelled {
                guard await sendSome() != nil else { continue }
                failures += 1
                guard failures < Self.tries else { break }
                try? await Task.sleep(for: pause)
                pause *= 2
            }
            await receiver.end()
        }
        let rest = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting.lines
        }
        for line in rest { metrics.update(line.camera) { $0.undelivered += 1 } }
        let isKept = kept?.keep(rest) ?? false
        if !rest.isEmpty {
            let place = isKept ? "; the next run sends them: \(kept?.file.path ?? "")" : ""
            report(
                "kinema: \(receiver.name): \(PlainText.counted(rest.count, "result")) could not be delivered\(place)")
        }
        return rest.isEmpty
    }

    /// Sends the oldest lines; returns the error, if any.
    private func sendSome() async -> String? {
        let batch = waiting.withLock { waiting in
            var bytes = 0
            let batch = waiting.lines.prefix(Self.mostAtOnce).prefix { line in
                bytes += line.text.count
                return bytes <= Self.mostBytes || bytes == line.text.count
            }
            waiting.sent = batch.count
            return Array(batch)
        }
        // In its own task, so that lines being sent when the watch ends arrive once.
        let outcome = await Task { await receiver.send(batch) }.value
        waiting.withLock { waiting in
            waiting.lines.removeFirst(min(outcome.taken, waiting.lines.count))
            waiting.sent = 0
        }
        return outcome.failure
    }

    private static func wait(_ limit: Duration, for work: @escaping @Sendable () async -> Void) async {
        let (ending, ended) = AsyncStream.makeStream(of: Never.self)
        let tasks = [
            Task {
                await work()
                ended.finish()
            },
            Task {
                try? await Task.sleep(for: limit)
                ended.finish()
            },
        ]
        await Task { for await _ in ending {} }.value
        for task in tasks { task.cancel() }
    }
}

/// The file of the lines that a receiver did not take; the next run sends them first.
package struct UndeliveredLines: Sendable {
    package let file: URL
    private let cameras: [String]

    /// The largest file that is read: more than the lines that a queue holds.
    private static let mostBytes = 256 << 20

    /// The lines for a receiver in the folder of results; `cameras` are the names, whose order numbers the lines.
    package init(for receiver: String, in folder: URL, cameras: [String]) {
        (file, self.cameras) = (folder.appending(path: "undelivered-\(receiver).jsonl"), cameras)
    }

    /// The lines of the last run, oldest first; empty without a file.
    func read() -> [WaitingLine] {
        guard let bytes = try? BoundedFile.read(file, limit: Self.mostBytes, excess: "remove it") else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).suffix(LineQueue.most).map { line in
            let camera = cameras.firstIndex { line.starts(with: Array("{\"camera\":\"\($0)\",".utf8)) }
            return WaitingLine(camera: camera ?? 0, text: Array(line) + [UInt8(ascii: "\n")])
        }
    }

    /// Keeps these lines instead of those of the last run; returns whether they are in the file.
    func keep(_ lines: [WaitingLine]) -> Bool {
        guard !lines.isEmpty else {
            try? FileManager.default.removeItem(at: file)
            return false
        }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        return (try? AtomicFile.write(lines.flatMap(\.text), to: file)) != nil
    }
}
