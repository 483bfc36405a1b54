import KinemaHistory
import KinemaHTTP
import Foundation
import Kinema

extension SocketMessage {
    static func hello(_ limits: LiveLimits) -> SocketMessage {
        message("hello") { json in
            json.field("protocol", LiveService.protocolVersion)
            json.field("limits", encoded: limits)
        }
    }

    static func started(_ session: LiveSession, isStored: Bool) -> SocketMessage {
        message("started") { json in
            json.field("session", session.id.uuidString)
            json.field("mode", session.request.mode.rawValue)
            json.field("source", session.request.source.kind)
            json.field("history", isStored)
        }
    }

    static func state(_ state: SessionState) -> SocketMessage {
        message("state") { json in
            json.field("state", state.name.rawValue)
            json.field("message", state.message)
            if let detail = state.detail { json.field("detail", detail) }
            if let position = state.position { json.field("position", position) }
        }
    }

    static func dropped(_ sequence: UInt32) -> SocketMessage {
        message("dropped") { $0.field("sequence", Int(sequence)) }
    }

    /// A frame's results; `mode` writes the mode's member.
    static func result(
        _ findings: LiveFindings, _ picture: VideoFrame, _ frame: LiveFrame, _ tally: FrameTally,
        mode: (inout JSONText) -> Void
    ) -> SocketMessage {
        message("result") { json in
            json.field("sequence", Int(frame.sequence))
            json.field("time", picture.time, decimals: 4)
            json.field("width", picture.width)
            json.field("height", picture.height)
            json.people(findings.poses, faults: findings.faults)
            json.hands(findings.hands, of: findings.poses, aspectRatio: picture.aspectRatio)
            mode(&json)
            json.tally(tally)
            json.field("milliseconds", (ContinuousClock.now - frame.arrival) / .milliseconds(1), decimals: 2)
        }
    }

    static func progress(_ fraction: Double, frames: Int, rate: Double) -> SocketMessage {
        message("progress") { json in
            json.field("fraction", fraction, decimals: 3)
            json.field("frames", frames)
            json.field("framesPerSecond", rate, decimals: 1)
        }
    }

    static func ended(
        _ summary: StoredSession, _ reason: LiveSession.Ending, _ tally: FrameTally, isStored: Bool,
        isContinued: Bool
    ) -> SocketMessage {
        message("ended") { json in
            json.field("reason", reason.rawValue)
            json.field("session", summary.id.uuidString)
            json.field("kept", isStored)
            if isContinued { json.field("continued", true) }
            json.tally(tally)
            json.field("summary", raw: (try? summary.json()) ?? Data("null".utf8))
        }
    }

    /// The command's JSON line of an event with its type; nil for events that clients do not get.
    static func event(_ event: AnalysisEvent) -> SocketMessage? {
        let type: String
        switch event {
        case .repetition, .coached: type = "repetition"
        case .pinch: type = "pinch"
        case .thrown: type = "throw"
        case .segment: type = "segment"
        case .hands, .flight, .prediction, .coachDebug: return nil
        }
        // The event is an object of one member.
        guard let json = try? event.json() else { return nil }
        return .text("{\"type\":\"\(type)\"," + String(decoding: json.dropFirst(), as: UTF8.self))
    }

    static func error(_ problem: LiveProblem) -> SocketMessage {
        message("error") { json in
            json.field("code", problem.code.rawValue)
            json.field("message", problem.message)
            json.field("fatal", problem.isFatal)
            if let sequence = problem.sequence { json.field("sequence", Int(sequence)) }
        }
    }

    private static func message(_ type: String, _ body: (inout JSONText) -> Void) -> SocketMessage {
        var json = JSONText()
        json.object { json in
            json.field("type", type)
            body(&json)
        }
        return .text(String(decoding: json.bytes, as: UTF8.self))
    }
}

extension JSONText {
    fileprivate mutating func tally(_ tally: FrameTally) {
        field("arrived", tally.arrived)
        field("analysed", tally.analysed)
        field("dropped", tally.dropped)
    }
}
