import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaVision

/// What the server sends, as Documentation/studio.md lays it out.
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

    /// What a frame showed; `mode` writes the mode's own member.
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

    /// How much of an upload is analysed, and how many frames a second.
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

    /// An event as the command writes it in JSON Lines, with its type beside it; nil for events that clients do not get.
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

    /// A JSON object with its type; `body` writes the other members.
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
    /// The frames that came, and what became of them.
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

extension JSONText {
    /// Null where there is no value.
    mutating func pair(_ name: String, _ value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    /// Null where there is no value.
    mutating func pair(_ name: String, _ value: Double?, decimals: Int = 4) {
        key(name)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    /// Null where there is no value.
    mutating func pair(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Points as [x, y], to a ten-thousandth of the picture: a tenth of a pixel of 1000.
    mutating func points(_ name: String, _ points: [CGPoint]) {
        key(name)
        array { list in points.forEach { list.numbers([$0.x, $0.y], decimals: 4) } }
    }

    /// A box as [x, y, width, height]; null where there is none.
    mutating func box(_ name: String, _ box: CGRect?) {
        key(name)
        if let box {
            numbers([box.minX, box.minY, box.width, box.height], decimals: 4)
        } else {
            null()
        }
    }

    /// Anything that encodes itself as JSON.
    mutating func pair(_ name: String, encoded value: some Encodable) {
        key(name)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        raw((try? encoder.encode(value)) ?? Data("null".utf8))
    }
}

extension JSONText {
    /// Everyone in a frame, with the joints at fault.
    mutating func people(_ poses: [Pose], faults: [Int: Set<JointKey>]) {
        key("people")
        array { list in
            for pose in poses {
                list.object { json in
                    json.pair("id", pose.id)
                    if pose.isHeld {
                        json.key("held")
                        json.boolean(true)
                    }
                    json.pair("confidence", Double(pose.confidence), decimals: 3)
                    json.box("box", pose.boundingBox() ?? .zero)
                    json.keypoints(pose, BodySkeleton.joints)
                    json.key("faults")
                    let names = pose.id.flatMap { faults[$0] } ?? []
                    json.array { list in names.map(\.rawValue).sorted().forEach { list.string($0) } }
                }
            }
        }
    }

    /// The hands in a frame, with whose they are.
    mutating func hands(_ hands: [HumanHandPoseObservation], of people: [Pose], aspectRatio: Double) {
        key("hands")
        array { list in
            guard !hands.isEmpty else { return }
            let assignment = HandAssignment(hands, to: people, aspectRatio: aspectRatio)
            for (hand, place) in zip(hands, assignment.wrists) {
                list.object { json in
                    json.pair("id", hand.pose.id)
                    json.pair("chirality", hand.chirality?.rawValue)
                    json.pair("person", place.flatMap { people[$0.person].id })
                    json.keypoints(hand.pose, HandSkeleton.joints)
                }
            }
        }
    }

    private mutating func keypoints(_ pose: Pose, _ order: [JointKey]) {
        key("keypoints")
        object { joints in
            for key in order {
                guard let joint = pose.keypoints[key] else { continue }
                joints.key(key.rawValue)
                joints.array { list in
                    list.number(joint.location.x, decimals: 4)
                    list.number(joint.location.y, decimals: 4)
                    list.number(Double(joint.confidence), decimals: 2)
                }
            }
        }
    }
}

/// A problem that is reported to the client.
struct LiveProblem: Error, Sendable, Equatable {
    /// The kinds of problem.
    enum Code: String, Sendable {
        case badMessage = "bad-message"
        case badFrame = "bad-frame"
        case tooLarge = "too-large"
        case tooFast = "too-fast"
        case wrongOrder = "wrong-order"
        case unreadable
        case missingComponent = "missing-component"
        case busy
        case idle
        case notKept = "not-kept"

        /// Whether it concerns a single frame, so that the session goes on.
        var concernsOneFrame: Bool { [.badFrame, .tooLarge, .tooFast, .wrongOrder].contains(self) }
    }

    var code: Code
    var message: String
    /// The frame concerned.
    var sequence: UInt32?
    /// Whether the socket closes after it.
    var isFatal = false

    init(_ code: Code, _ message: String, sequence: UInt32? = nil, isFatal: Bool = false) {
        (self.code, self.message, self.sequence, self.isFatal) = (code, message, sequence, isFatal)
    }

    /// A failure in the interface's terms, without paths of this machine.
    init(_ error: any Error, sequence: UInt32? = nil) {
        guard let error = error as? KinemaError else {
            self.init(.unreadable, "the source cannot be read any more; start again", sequence: sequence)
            return
        }
        self.init(error.code == .missingComponent ? .missingComponent : .unreadable, error.message, sequence: sequence)
    }
}
