package import Foundation
import Kinema
import KinemaCore

package enum SocketMessage: Sendable, Equatable {
    case text(String)
    /// A frame, as Documentation/studio.md describes it.
    case binary(Data)
}

extension SocketMessage {
    static func hello(_ limits: LiveLimits) -> SocketMessage {
        message("hello") { json in
            json.pair("protocol", LiveService.protocolVersion)
            json.pair("limits", encoded: limits)
        }
    }

    static func started(_ session: LiveSession, isStored: Bool) -> SocketMessage {
        message("started") { json in
            json.pair("session", session.id.uuidString)
            json.pair("mode", session.request.mode.rawValue)
            json.pair("source", session.request.source.kind)
            json.pair("history", isStored)
        }
    }

    static func state(_ state: SessionState) -> SocketMessage {
        message("state") { json in
            json.pair("state", state.name.rawValue)
            json.pair("message", state.message)
            if let detail = state.detail { json.pair("detail", detail) }
        }
    }

    static func dropped(_ sequence: UInt32) -> SocketMessage {
        message("dropped") { $0.pair("sequence", Int(sequence)) }
    }

    /// A frame's results; `mode` writes the mode's member.
    static func result(
        _ findings: LiveFindings, _ picture: VideoFrame, _ frame: LiveFrame, _ tally: FrameTally,
        mode: (inout JSONText) -> Void
    ) -> SocketMessage {
        message("result") { json in
            json.pair("sequence", Int(frame.sequence))
            json.pair("time", picture.time)
            json.pair("width", picture.width)
            json.pair("height", picture.height)
            json.people(findings.poses, faults: findings.faults)
            json.hands(findings.hands, of: findings.poses, aspectRatio: picture.aspectRatio)
            mode(&json)
            json.pair(tally)
            json.pair("milliseconds", (ContinuousClock.now - frame.arrival) / .milliseconds(1), decimals: 2)
        }
    }

    static func progress(_ fraction: Double, frames: Int, rate: Double) -> SocketMessage {
        message("progress") { json in
            json.pair("fraction", fraction, decimals: 3)
            json.pair("frames", frames)
            json.pair("framesPerSecond", rate, decimals: 1)
        }
    }

    static func ended(
        _ summary: StoredSession, _ reason: LiveSession.Ending, _ tally: FrameTally, isStored: Bool,
        isContinued: Bool
    ) -> SocketMessage {
        message("ended") { json in
            json.pair("reason", reason.rawValue)
            json.pair("session", summary.id.uuidString)
            json.pair("kept", isStored)
            if isContinued { json.pair("continued", true) }
            json.pair(tally)
            json.key("summary")
            json.raw((try? summary.json()) ?? Data("null".utf8))
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
            json.pair("code", problem.code.rawValue)
            json.pair("message", problem.message)
            json.pair("fatal", problem.isFatal)
            if let sequence = problem.sequence { json.pair("sequence", Int(sequence)) }
        }
    }

    private static func message(_ type: String, _ body: (inout JSONText) -> Void) -> SocketMessage {
        var json = JSONText()
        json.object { json in
            json.pair("type", type)
            body(&json)
        }
        return .text(String(decoding: json.bytes, as: UTF8.self))
    }
}

extension JSONText {
    fileprivate mutating func pair(_ tally: FrameTally) {
        pair("arrived", tally.arrived)
        pair("analysed", tally.analysed)
        pair("dropped", tally.dropped)
    }

    fileprivate mutating func pair(_ name: String, _ value: Bool) {
        key(name)
        boolean(value)
    }
}
