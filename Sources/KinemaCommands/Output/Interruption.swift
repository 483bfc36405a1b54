import Dispatch
import Foundation
import KinemaCore
import Synchronization

/// Ctrl-C and SIGTERM: the first stops the source and keeps the work so far, the second exits at once.
///
/// The work is not cancelled, so that it can finish its files. Only `cancelling` and `stopping` end a wait for
/// something outside.
package final class Interruption: Sendable {
    private struct State {
        var isRaised = false
        /// The actions of a signal, by registration number.
        var stops: [Int: @Sendable () -> Void] = [:]
        var registered = 0
    }

    private let state = Mutex(State())
    /// Whether a signal arrived before its source was active, which takes a while on a busy machine.
    private static let cameEarly = Atomic<Bool>(false)
    /// Tasks can occupy all threads of the global queues; a separate queue has its own thread.
    private static let queue = DispatchQueue(label: "kinema.signals", qos: .userInteractive)

    /// The current instance, for commands within a batch.
    @TaskLocal static var current: Interruption?

    package var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Runs the work; a signal stops its source, so that it ends early with its results. Then throws exit code 130.
    package static func guarding(_ work: (Interruption) async throws -> Void) async throws {
        if let current {
            try await work(current)
            if current.isRaised { throw ExitStatus.interrupted.exitCode }
            return
        }
        let interruption = Interruption()
        let sources = [SIGINT, SIGTERM].map(interruption.listen(for:))
        // The work waits until the source is active.
        for source in sources {
            await withCheckedContinuation { listening in
                source.setRegistrationHandler { listening.resume() }
                source.resume()
            }
        }
        defer { sources.forEach { $0.cancel() } }
        if cameEarly.load(ordering: .relaxed) { _ = interruption.raise() }
        do {
            try await work(interruption)
        } catch is CancellationError where interruption.isRaised {
            throw ExitStatus.interrupted.exitCode
        } catch let error as KinemaError where interruption.isRaised && error.code == .unreadableInput {
            // An input that was interrupted while it was being opened is not broken.
            throw ExitStatus.interrupted.exitCode
        }
        if interruption.isRaised { throw ExitStatus.interrupted.exitCode }
    }

    /// Runs work that waits for something outside, such as opening an input, in a task that a signal cancels.
    package func cancelling<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws
        -> Result
    {
        let task = Task { try await work() }
        return try await stopping({ task.cancel() }) {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    func stopping<Result>(
        _ stop: @escaping @Sendable () -> Void, while work: () async throws -> Result
    ) async rethrows -> Result {
        let number = state.withLock { state in
            state.registered += 1
            state.stops[state.registered] = stop
            return state.registered
        }
        defer { state.withLock { _ = $0.stops.removeValue(forKey: number) } }
        if isRaised { stop() }
        return try await work()
    }

    /// Stops all sources; returns whether that was done before.
    func raise() -> Bool {
        let (wasRaised, stops) = state.withLock { state in
            defer { state.isRaised = true }
            return (state.isRaised, state.stops.values)
        }
        for stop in stops { stop() }
        return wasRaised
    }

    private func listen(for number: Int32) -> any DispatchSourceSignal {
        // Until the source is active, which then replaces this handler.
        signal(number) { _ in Interruption.cameEarly.store(true, ordering: .relaxed) }
        let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
        source.setEventHandler {
            if self.raise() { _exit(ExitStatus.interrupted.rawValue) }
        }
        return source
    }
}
