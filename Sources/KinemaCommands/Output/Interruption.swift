import Dispatch
import Foundation
import KinemaCore
import Synchronization

/// Ctrl-C and a polite kill: the work in hand is told to stop, what is done is kept; a second one ends at once.
final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)
    private let task = Mutex<Task<Void, any Error>?>(nil)
    /// Whether a signal came before anybody listened for signals, which takes a while on a busy machine.
    private static let cameEarly = Atomic<Bool>(false)

    /// The one that is guarded already, for commands that a batch runs: two would take each other's signals away.
    @TaskLocal static var current: Interruption?

    /// Whether the user asked to stop.
    var isRaised: Bool { raised.load(ordering: .relaxed) }

    /// Runs the work; a signal cancels its task, so that it ends early and writes what it has.
    ///
    /// Throws the exit code 130 after the work when it was interrupted.
    static func guarding(_ work: @escaping @Sendable (Interruption) async throws -> Void) async throws {
        if let current {
            try await work(current)
            if current.isRaised { throw ExitStatus.interrupted.exitCode }
            return
        }
        let interruption = Interruption()
        let sources = [SIGINT, SIGTERM].map(interruption.listen(for:))
        // The work waits until somebody listens.
        for source in sources {
            await withCheckedContinuation { listening in
                source.setRegistrationHandler { listening.resume() }
                source.resume()
            }
        }
        if cameEarly.load(ordering: .relaxed) { interruption.raised.store(true, ordering: .relaxed) }
        let task = Task { try await work(interruption) }
        interruption.task.withLock { $0 = task }
        if interruption.isRaised { task.cancel() }
        defer { sources.forEach { $0.cancel() } }
        do {
            try await task.value
        } catch is CancellationError where interruption.isRaised {
            throw ExitStatus.interrupted.exitCode
        } catch let error as KinemaError where interruption.isRaised && error.code == .unreadableInput {
            // An input that was still being opened is not broken, it was given up.
            throw ExitStatus.interrupted.exitCode
        }
        if interruption.isRaised { throw ExitStatus.interrupted.exitCode }
    }

    private func listen(for number: Int32) -> any DispatchSourceSignal {
        // Until the source is at work, which then puts its own handler in this one's place.
        signal(number) { _ in Interruption.cameEarly.store(true, ordering: .relaxed) }
        // Tasks keep the threads of the usual queues busy, on one core all of them; signals need one of their own.
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
        source.setEventHandler {
            if self.raised.exchange(true, ordering: .relaxed) { exit(ExitStatus.interrupted.rawValue) }
            self.task.withLock { $0 }?.cancel()
        }
        return source
    }
}
