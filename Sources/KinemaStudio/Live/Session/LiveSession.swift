import Foundation
import Synchronization

/// One session of a socket from `start` to `ended`: what comes in on one side, the work on the other.
final class LiveSession: Sendable {
    /// Why a session is over.
    enum Ending: String, Sendable {
        case stopped, finished, replaced, failed
    }

    let id = UUID()
    let date = Date()
    let request: StartRequest
    let service: LiveService
    let outbox: Outbox
    let mailbox = FrameMailbox<LiveFrame>()
    /// Whether the client reads more slowly than it is sent to.
    let isBehind: @Sendable () -> Bool

    private let gate: Mutex<FrameGate>
    private let commands = Mutex<[DrawingCommand]>([])
    private let ending = Mutex<Ending?>(nil)
    private let lastState = Mutex<SessionState?>(nil)
    private let isOverFlag = Mutex(false)

    init(
        _ request: StartRequest, service: LiveService, outbox: Outbox, isBehind: @escaping @Sendable () -> Bool
    ) {
        (self.request, self.service, self.outbox, self.isBehind) = (request, service, outbox, isBehind)
        gate = Mutex(FrameGate(framesPerSecond: service.configuration.limits.framesPerSecond))
    }

    /// Whether everything of it is settled.
    var isOver: Bool { isOverFlag.withLock { $0 } }
    /// Why it is to end; nil while it goes on.
    var endingReason: Ending? { ending.withLock { $0 } }

    /// Takes a client's frame in.
    func take(_ frame: FrameMessage) {
        let now = ContinuousClock.now
        switch gate.withLock({ $0.judge(frame, at: now) }) {
        case .pass(let microseconds):
            offer(
                LiveFrame(
                    sequence: frame.sequence, arrival: now, content: .sent(frame.picture, microseconds: microseconds)))
        case .overflow(let isTold):
            mailbox.refuse()
            tellDropped(frame.sequence)
            if isTold {
                let most = service.configuration.limits.framesPerSecond
                outbox.post(LiveProblem(.tooFast, "send at most \(most) frames a second").text)
            }
        case .refused(let problem):
            mailbox.refuse()
            outbox.post(problem.text)
        }
    }

    /// Puts a frame where the newest waits.
    func offer(_ frame: LiveFrame) {
        if let overtaken = mailbox.offer(frame) { tellDropped(overtaken.sequence) }
    }

    /// Tells the client the state when it is another one than it was told last.
    func tell(_ state: SessionState) {
        let isNew = lastState.withLock { last in
            defer { last = state }
            return last != state
        }
        if isNew { outbox.post(state.text) }
    }

    /// Keeps what the client wants done to its drawing until the next frame.
    func obey(_ command: DrawingCommand) {
        commands.withLock { commands in
            // More than this many between two frames are nobody's wish.
            if commands.count < 64 { commands.append(command) }
        }
    }

    /// What is to be done to the drawing now.
    func takeCommands() -> [DrawingCommand] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }

    /// Ends the session soon: what is being analysed is finished, what waits is dropped.
    func end(_ reason: Ending) {
        ending.withLock { $0 = $0 ?? reason }
        if let waiting = mailbox.close() { tellDropped(waiting.sequence) }
    }

    /// Begins the work, on a thread of its own, so that other clients do not wait for it.
    func begin() -> Task<Void, Never> {
        Task(executorPreference: WorkQueue("session")) { await self.run() }
    }

    /// Works until the session is over and says so to the client.
    private func run() async {
        await SessionWorker(self).run()
        isOverFlag.withLock { $0 = true }
    }

    private func tellDropped(_ sequence: UInt32) {
        outbox.post(
            .json { json in
                json.pair("type", "dropped")
                json.pair("sequence", Int(sequence))
            })
    }
}

extension StartRequest {
    /// Where the pictures come from, in words for people; never a path.
    var sourceName: String {
        switch source {
        case .browser(let name): name.map { String($0.prefix(100)) } ?? "browser"
        case .camera: "camera"
        case .stream: "stream"
        case .input(let name): name
        case .upload: "upload"
        }
    }
}
