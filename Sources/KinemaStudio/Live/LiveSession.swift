import Foundation
import KinemaCore
import Synchronization

/// The client's side of a session from `start` to `ended`; `SessionRunner` does the work, and they share `frames`.
final class LiveSession: Sendable {
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
    let frames: FrameChannel<LiveFrame>
    private let framesPerSecond: Int
    private let state: Mutex<State>

    /// More than any person sends between two frames.
    private static let mostCommands = 64

    init(_ request: StartRequest, outbox: Outbox, policy: FrameChannelPolicy, framesPerSecond: Int) {
        (self.request, self.outbox, self.framesPerSecond) = (request, outbox, framesPerSecond)
        id = request.continues ?? UUID()
        state = Mutex(State(admission: FrameAdmission(framesPerSecond: framesPerSecond)))
        frames = FrameChannel(policy) { frame in outbox.post(.dropped(frame.sequence)) }
    }

    var ending: Ending? { state.withLock { $0.ending } }

    /// Takes a client's frame; false after the end.
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

    /// Counts a frame with an unreadable header as dropped.
    func refuseUnreadableFrame() { if ending == nil, request.source.isClient { frames.refuse() } }

    func receive(_ command: DrawingCommand) {
        state.withLock { state in
            if state.commands.count < Self.mostCommands { state.commands.append(command) }
        }
    }

    /// The commands since the last frame.
    func takeCommands() -> [DrawingCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Ends the session after the current frame; waiting frames are dropped.
    func end(_ reason: Ending) {
        state.withLock { $0.ending = $0.ending ?? reason }
        frames.cancel()
    }

    func report(_ status: SessionState) {
        let isNew = state.withLock { state in
            defer { state.status = status }
            return state.status != status
        }
        if isNew { outbox.post(.state(status)) }
    }
}
