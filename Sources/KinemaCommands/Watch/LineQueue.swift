import Foundation
import Kinema
import KinemaCore
import Synchronization

/// A line of results that waits to be sent, and the number of its camera.
struct WaitingLine: Sendable {
    var camera: Int
    var text: [UInt8]
}

/// Where lines of results go besides files.
protocol LineReceiver: Sendable {
    /// Its name in messages and metrics.
    var name: String { get }

    /// Sends lines in their order; returns how many of the first were taken, and why not all.
    ///
    /// Without lines it says whether all is well.
    func send(_ lines: [WaitingLine]) async -> (taken: Int, failure: String?)

    /// Ends the connection, if one is kept.
    func end() async
}

/// Lines that wait for a receiver: a bounded number, of which the oldest make room.
final class LineQueue: Sendable {
    private struct Waiting {
        var lines: [WaitingLine] = []
        /// The first ones, which are on their way.
        var sent = 0
    }

    private let waiting = Mutex(Waiting())
    private let receiver: any LineReceiver
    private let metrics: WatchMetrics

    /// Lines that wait at most: some minutes of a busy camera.
    static let most = 10_000
    /// Lines and bytes that are sent at once at most.
    private static let mostAtOnce = 500, mostBytes = 1 << 20
    private static let shortestPause = Duration.milliseconds(200), longestPause = Duration.seconds(30)
    /// How often a receiver may fail at the end.
    private static let tries = 3

    init(_ receiver: any LineReceiver, _ metrics: WatchMetrics) {
        (self.receiver, self.metrics) = (receiver, metrics)
    }

    func add(_ text: [UInt8], of camera: Int) {
        let lost = waiting.withLock { waiting -> Int? in
            waiting.lines.append(WaitingLine(camera: camera, text: text))
            // What is on its way may be taken yet.
            return waiting.lines.count > Self.most ? waiting.lines.remove(at: waiting.sent).camera : nil
        }
        if let lost { metrics.update(lost) { $0.undelivered += 1 } }
    }

    /// Sends what waits until cancelled; a receiver that fails is tried again, ever more rarely.
    func run() async {
        var pause = Self.shortestPause
        var hasFailed = false
        while !Task.isCancelled {
            let failure = await sendSome()
            metrics.delivers(failure == nil, to: receiver.name)
            if let failure, !hasFailed {
                Console.shared.line("kinema: \(receiver.name): \(failure); results wait, at most \(Self.most)")
            }
            hasFailed = failure != nil
            pause = hasFailed ? min(pause * 2, Self.longestPause) : Self.shortestPause
            try? await Task.sleep(for: pause)
        }
    }

    /// Ends the task that runs this, sends what still waits and ends the connection; gives up after `limit`, or when a
    /// receiver has failed `tries` times. What was not taken counts as undelivered. All of it comes about in a cancelled
    /// task too.
    func finish(_ running: Task<Void, Never>, within limit: Duration = .seconds(5)) async {
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
        if !rest.isEmpty {
            Console.shared.line(
                "kinema: \(receiver.name): \(PlainText.counted(rest.count, "result")) did not get there")
        }
    }

    /// Sends the oldest lines; nil if they were taken or there were none.
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
        // In a task of its own, so that what is on its way when the watch ends arrives once.
        let outcome = await Task { await receiver.send(batch) }.value
        waiting.withLock { waiting in
            waiting.lines.removeFirst(min(outcome.taken, waiting.lines.count))
            waiting.sent = 0
        }
        return outcome.failure
    }

    /// Does something, but waits no longer than a time for it.
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
