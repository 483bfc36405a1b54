import KinemaHistory
import KinemaHTTP
import KinemaPhones
import Dispatch
import Foundation
import Synchronization

/// Reads one client's messages and runs its sessions, one at a time.
struct LiveConnection<Socket: LiveSocket> {
    private struct Running {
        let session: LiveSession
        let task: Task<Void, Never>
    }

    private let socket: Socket
    private let service: LiveService
    private let client: LiveSender
    private let outbox = Outbox()

    /// The connection ends after this many invalid messages.
    private static var mostMistakes: Int { 20 }

    init(_ socket: Socket, service: LiveService, client: LiveSender) {
        (self.socket, self.service, self.client) = (socket, service, client)
    }

    /// Serves the client until it disconnects or is disconnected, and its session has ended.
    func run() async {
        outbox.post(.hello(service.configuration.limits))
        await withTaskGroup(of: Void.self) { group in
            // On a separate thread: busy threads must not make a client seem behind, since it then gets no results.
            group.addTask(executorPreference: WorkQueue("sending")) { [outbox, socket] in
                if await !outbox.drain(to: socket) { await socket.close(code: 1008, reason: "does not read") }
            }
            let fault = await read()
            outbox.close()
            await group.waitForAll()
            await socket.close(code: fault == nil ? 1000 : 1008, reason: fault ?? "")
        }
    }

    /// Reads until the client disconnects; returns the fault that ends the connection, if any.
    private func read() async -> String? {
        var running: Running?
        var mistakes = 0
        var fault: String?
        do {
            for try await message in socket.messages {
                do throws(LiveProblem) {
                    try await handle(message, &running)
                } catch {
                    mistakes += 1
                    var problem = error
                    problem.isFatal = mistakes > Self.mostMistakes
                    outbox.post(.error(problem))
                    if problem.isFatal {
                        fault = "too many invalid messages"
                        break
                    }
                }
            }
        } catch {
            // A connection that breaks ends like one that is closed.
        }
        await end(&running, .stopped)
        return fault
    }

    private func handle(_ message: SocketMessage, _ running: inout Running?) async throws(LiveProblem) {
        switch message {
        case .binary(let bytes):
            let frame: FrameMessage
            do {
                frame = try FrameMessage(bytes)
            } catch {
                // An unreadable frame counts as dropped.
                running?.session.refuseUnreadableFrame()
                throw error
            }
            try handle(frame, running?.session)
        case .text(let text):
            switch try ClientMessage(text) {
            case .start(let request):
                await end(&running, .replaced)
                running = try start(request)
            case .stop:
                guard running != nil else { throw LiveProblem(.wrongOrder, "no session is running; send start") }
                await end(&running, .stopped)
            case .drawing(let command):
                guard let session = running?.session, session.request.mode == .draw else {
                    throw LiveProblem(.wrongOrder, "nothing is being drawn; start mode draw")
                }
                session.receive(command)
            }
        }
    }

    private func handle(_ frame: FrameMessage, _ session: LiveSession?) throws(LiveProblem) {
        if let session, session.ending == nil, !session.request.source.isClient {
            throw LiveProblem(.wrongOrder, "this session has its own source", sequence: frame.sequence)
        }
        guard session?.receive(frame) != true else { return }
        // Frames sent before the client knew of the end are not errors.
        outbox.post(.error(LiveProblem(.wrongOrder, "no session is running; send start", sequence: frame.sequence)))
    }

    /// Starts a session on a separate thread, so that other clients do not wait.
    private func start(_ request: StartRequest) throws(LiveProblem) -> Running {
        let session = try service.session(request, outbox, from: client)
        let task = Task(executorPreference: WorkQueue("session")) { [service, socket] in
            await SessionRunner(session, service) { socket.isBehind }.run()
        }
        return Running(session: session, task: task)
    }

    private func end(_ running: inout Running?, _ reason: LiveSession.Ending) async {
        guard let current = running else { return }
        running = nil
        current.session.end(reason)
        // Opening a source may take long, and reading waits for the next frame.
        if !current.session.request.source.isClient { current.task.cancel() }
        await current.task.value
    }
}

/// The messages to one client in order; a client with too many unread messages is disconnected.
final class Outbox: Sendable {
    private struct Entry: Sendable {
        var message: SocketMessage
        var isResult: Bool
    }

    private let entries: AsyncStream<Entry>
    private let queue: AsyncStream<Entry>.Continuation
    /// Results that the socket does not have yet.
    private let unsentResults = Atomic(0)
    private let isLost = Atomic(false)

    /// Half a minute of messages at 30 frames a second.
    private static let limit = 1024

    init() { (entries, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit)) }

    /// Whether the socket has every result.
    var isKeepingUp: Bool { unsentResults.load(ordering: .relaxed) == 0 }

    func post(_ message: SocketMessage, isResult: Bool = false) {
        if isResult { unsentResults.add(1, ordering: .relaxed) }
        if case .dropped = queue.yield(Entry(message: message, isResult: isResult)) { lose() }
    }

    func close() { queue.finish() }

    /// Sends everything until the box is closed and empty; false if the client has disconnected or does not read.
    func drain(to socket: some LiveSocket) async -> Bool {
        for await entry in entries where !isLost.load(ordering: .relaxed) {
            // Before sending: a client that has received a result gets the next one.
            if entry.isResult { unsentResults.subtract(1, ordering: .relaxed) }
            do { try await socket.send(entry.message) } catch { lose() }
        }
        return !isLost.load(ordering: .relaxed)
    }

    private func lose() {
        isLost.store(true, ordering: .relaxed)
        queue.finish()
    }
}

/// A thread for long work such as decoding and inference, which would delay messages on Swift's task threads.
final class WorkQueue: TaskExecutor {
    // A serial queue has its own thread.
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: "kinema.\(label)") }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
