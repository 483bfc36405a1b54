import Foundation

/// One client: reads what it sends, and has one session at a time.
struct LiveConnection<Socket: LiveSocket> {
    private let socket: Socket
    private let service: LiveService
    private let outbox = Outbox()

    /// So many messages that make no sense end the connection: its sender speaks something else.
    private static var patience: Int { 20 }

    init(_ socket: Socket, service: LiveService) {
        (self.socket, self.service) = (socket, service)
    }

    /// A session that goes on, and the task it goes on in.
    private struct Running {
        let session: LiveSession
        let task: Task<Void, Never>
    }

    /// Serves the client until it has gone or has to go, and everything it began is over.
    func run() async {
        outbox.post(hello)
        await withTaskGroup(of: Void.self) { group in
            // On a thread of its own as well: results are left out for a client that is behind, and this is not to be.
            group.addTask(executorPreference: WorkQueue("sending")) { [outbox, socket] in
                // Who cannot be sent to is not listened to either.
                if await !outbox.drain(to: socket) { await socket.close(code: 1008, reason: "does not read") }
            }
            let farewell = await listen()
            outbox.close()
            await group.waitForAll()
            await socket.close(code: farewell == nil ? 1000 : 1008, reason: farewell ?? "")
        }
    }

    /// Reads until the client has gone; returns why it has to go, where it has.
    private func listen() async -> String? {
        var running: Running?
        var mistakes = 0
        var farewell: String?
        do {
            for try await message in socket.messages {
                do throws(LiveProblem) {
                    try await take(message, &running)
                } catch {
                    mistakes += 1
                    var problem = error
                    problem.isFatal = mistakes > Self.patience
                    outbox.post(problem.text)
                    if problem.isFatal {
                        farewell = "too many messages that make no sense"
                        break
                    }
                }
            }
        } catch {
            // The client has gone without a word, which is no different from gone with one.
        }
        await end(&running, .stopped)
        return farewell
    }

    private func take(_ message: SocketMessage, _ running: inout Running?) async throws(LiveProblem) {
        switch message {
        case .binary(let bytes):
            let frame = try FrameMessage(bytes)
            guard let session = running?.session, !session.isOver, session.endingReason == nil else {
                // Those on their way when the session ended are no mistake.
                return outbox.post(
                    LiveProblem(.wrongOrder, "no session is running; send start", sequence: frame.sequence).text)
            }
            guard session.request.source.kind == "browser" else {
                throw LiveProblem(.wrongOrder, "this session has a source of its own", sequence: frame.sequence)
            }
            session.take(frame)
        case .text(let text):
            switch try ClientMessage(text) {
            case .start(let request):
                await end(&running, .replaced)
                let session = LiveSession(request, service: service, outbox: outbox) { [socket] in socket.isBehind }
                running = Running(session: session, task: session.begin())
            case .stop:
                guard running != nil else { throw LiveProblem(.wrongOrder, "no session is running; send start") }
                await end(&running, .stopped)
            case .drawing(let command):
                guard let session = running?.session, session.request.mode == .draw else {
                    throw LiveProblem(.wrongOrder, "nothing is being drawn; start mode draw")
                }
                session.obey(command)
            }
        }
    }

    /// Ends what is running and waits until all of it is settled.
    private func end(_ running: inout Running?, _ reason: LiveSession.Ending) async {
        guard let current = running else { return }
        running = nil
        current.session.end(reason)
        // Opening a source may take long, and reading one waits for the next frame.
        if current.session.request.source.kind != "browser" { current.task.cancel() }
        await current.task.value
    }

    private var hello: SocketMessage {
        .json { json in
            json.pair("type", "hello")
            json.pair("protocol", 1)
            json.pair("limits", encoded: service.configuration.limits)
        }
    }
}
