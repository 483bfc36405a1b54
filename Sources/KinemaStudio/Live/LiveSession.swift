import Foundation
import KinemaCore
import Synchronization

/// A client's session from `start` to `ended`, seen from the client: frames, commands and its end go in here.
///
/// `SessionRunner` does the work; `frames` is what the two share.
final class LiveSession: Sendable {
    /// Why a session is over.
    enum Ending: String, Sendable {
        case stopped, finished, replaced, failed
    }

    private struct State {
        var admission: FrameAdmission
        var commands: [DrawingCommand] = []
        var status: SessionState?
        var ending: Ending?
    }

    let id: UUID
    let date = Date()
    let request: StartRequest
    let outbox: Outbox
    /// Frames on their way to be analysed, with account of them.
    let frames: FrameChannel<LiveFrame>
    private let framesPerSecond: Int
    private let state: Mutex<State>

    /// More commands than this between two frames come from no person.
    private static let mostCommands = 64

    init(_ request: StartRequest, outbox: Outbox, policy: FrameChannelPolicy, framesPerSecond: Int) {
        (self.request, self.outbox, self.framesPerSecond) = (request, outbox, framesPerSecond)
        id = request.continues ?? UUID()
        state = Mutex(State(admission: FrameAdmission(framesPerSecond: framesPerSecond)))
        frames = FrameChannel(policy) { frame in outbox.post(.dropped(frame.sequence)) }
    }

    /// Why it ends; nil while it goes on.
    var ending: Ending? { state.withLock { $0.ending } }

    /// Takes a client's frame; false when the session has ended.
    func receive(_ frame: FrameMessage) -> Bool {
        guard ending == nil else { return false }
        let now = ContinuousClock.now
        switch state.withLock({ $0.admission.check(frame, at: now) }) {
        case .admitted(let microseconds):
            let picture = LiveFrame.Content.encoded(frame.picture, microseconds: microseconds)
            return frames.offer(LiveFrame(sequence: frame.sequence, arrival: now, content: picture)) == true
        case .tooFast(let isReported):
            frames.refuse()
            outbox.post(.dropped(frame.sequence))
            if isReported {
                outbox.post(.error(LiveProblem(.tooFast, "send at most \(framesPerSecond) frames a second")))
            }
        case .refused(let problem):
            frames.refuse()
            outbox.post(.error(problem))
        }
        return true
    }

    /// Counts a client's frame whose header cannot be read as dropped, while the session goes on.
    func refuseUnreadableFrame() {
        if ending == nil, request.source.isClient { frames.refuse() }
    }

    /// Keeps a command to the drawing until the next frame.
    func receive(_ command: DrawingCommand) {
        state.withLock { state in
            if state.commands.count < Self.mostCommands { state.commands.append(command) }
        }
    }

    /// The commands that came since the last frame.
    func takeCommands() -> [DrawingCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Ends the session soon: what is being analysed is finished, what waits is dropped.
    func end(_ reason: Ending) {
        state.withLock { $0.ending = $0.ending ?? reason }
        frames.cancel()
    }

    /// Sends the client the session's state when it has changed.
    func report(_ status: SessionState) {
        let isNew = state.withLock { state in
            defer { state.status = status }
            return state.status != status
        }
        if isNew { outbox.post(.state(status)) }
    }
}
