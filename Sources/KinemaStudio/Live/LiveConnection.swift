import Foundation

/// One client: reads what it sends, and runs one session at a time.
struct LiveConnection<Socket: LiveSocket> {
    /// A session that goes on, and its task.
    private struct Running {
        let session: LiveSession
        let task: Task<Void, Never>
    }

    private let socket: Socket
    private let service: LiveService
    private let outbox = Outbox()

    /// After this many messages that cannot be understood the connection ends: its sender speaks another protocol.
    private static var mostMistakes: Int { 20 }

    init(_ socket: Socket, service: LiveService) {
        (self.socket, self.service) = (socket, service)
    }

    /// Serves the client until it has gone or has to go, and everything it began is over.
    func run() async {
        outbox.post(.hello(service.configuration.limits))
        await withTaskGroup(of: Void.self) { group in
            // On a thread of its own: a client that is behind gets no results, and busy threads must not make it seem so.
            group.addTask(executorPreference: WorkQueue("sending")) { [outbox, socket] in
                // A client that cannot be sent to is not read either.
                if await !outbox.drain(to: socket) { await socket.close(code: 1008, reason: "does not read") }
            }
            let fault = await read()
            outbox.close()
            await group.waitForAll()
            await socket.close(code: fault == nil ? 1000 : 1008, reason: fault ?? "")
        }
    }

    /// Reads until the client has gone; returns the fault for which the connection ends, if there is one.
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
                        fault = "too many messages that make no sense"
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
                // It arrived all the same, so the session counts it as dropped.
                running?.session.refuseUnreadableFrame()
                throw error
            }
            try handle(frame, running?.session)
        case .text(let text):
            switch try ClientMessage(text) {
            case .start(let request):
                await end(&running, .replaced)
                running = start(request)
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
            throw LiveProblem(.wrongOrder, "this session has a source of its own", sequence: frame.sequence)
        }
        guard session?.receive(frame) != true else { return }
        // Frames on their way when the session ended are no mistake.
        outbox.post(.error(LiveProblem(.wrongOrder, "no session is running; send start", sequence: frame.sequence)))
    }

    /// Starts a session on a thread of its own, so that other clients do not wait for it.
    private func start(_ request: StartRequest) -> Running {
        let session = service.session(request, outbox)
        let task = Task(executorPreference: WorkQueue("session")) { [service, socket] in
            await SessionRunner(session, service) { socket.isBehind }.run()
        }
        return Running(session: session, task: task)
    }

    /// Ends what is running and waits until all of it is settled.
    private func end(_ running: inout Running?, _ reason: LiveSession.Ending) async {
        guard let current = running else { return }
        running = nil
        current.session.end(reason)
        // Opening a source may take long, and reading one waits for the next frame.
        if !current.session.request.source.isClient { current.task.cancel() }
        await current.task.value
    }
}
