import Foundation
import KinemaCore
import Synchronization
import Testing

@testable import KinemaCommands
import KinemaStudioCommands

/// The command, run within this process: what it writes is caught, and signals do not reach it.
struct InnerProgram {
    /// Takes what the command writes.
    private final class Sink: ResultSink {
        let bytes = Mutex<[UInt8]>([])

        func write(_ more: [UInt8]) { bytes.withLock { $0 += more } }
    }

    private let arguments: [String]
    private let output = Sink()
    private let complaint = Sink()

    init(_ arguments: [String]) { self.arguments = arguments }

    /// Runs to the end; a command that does not end is left behind, and that is a failure.
    func outcome(within limit: Duration, sourceLocation: SourceLocation) async -> Program.Outcome {
        let (endings, ending) = AsyncStream<Int32?>.makeStream()
        let (arguments, output, complaint) = (arguments, output, complaint)
        // Detached, so that the command finds the task-locals as a new process has them.
        Task.detached {
            let status = await StandardOutput.$replacement.withValue(output) {
                await Console.$replacement.withValue(complaint) {
                    // A guard of its own: one that listens for signals would take them away from the test run.
                    await Interruption.$current.withValue(Interruption()) {
                        // Another process of tests keeps the other core busy.
                        await Parallelism.$isOneOfSeveral.withValue(true) {
                            await CommandProcess.status(of: KinemaStudioCommand.self, arguments, bytes: nil)
                        }
                    }
                }
            }
            ending.yield(status)
        }
        let alarm = Task {
            try await Task.sleep(for: limit)
            ending.yield(nil)
        }
        defer { alarm.cancel() }
        var endingsSoFar = endings.makeAsyncIterator()
        let status = await endingsSoFar.next() ?? nil
        if status == nil { Issue.record("hung: \(arguments)", sourceLocation: sourceLocation) }
        return Program.Outcome(
            status: status ?? 137, output: Data(output.bytes.withLock { $0 }),
            complaint: String(decoding: complaint.bytes.withLock { $0 }, as: UTF8.self), hung: status == nil)
    }
}
