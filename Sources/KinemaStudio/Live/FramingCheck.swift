import Foundation
import Kinema
import KinemaCore
import KinemaDraw

/// Checks whether the picture shows the mode's subject, with hysteresis.
struct FramingCheck: Sendable {
    enum Subject: Sendable {
        case somebody, wholeBody, hands
    }

    let subject: Subject
    private(set) var state: SessionState?
    private var candidate: (state: SessionState, since: TimeInterval)?

    /// The distance from the edge at which a head or an ankle counts as cut off, as a share of the picture.
    private static let edge = 0.02
    /// The extra distance at which it is visible again.
    private static let hysteresis = 0.015

    init(_ subject: Subject) { self.subject = subject }

    /// Takes the next frame's findings; returns a changed state.
    mutating func take(_ poses: [Pose], hands: Int, at time: TimeInterval) -> SessionState? {
        let seen = look(poses, hands: hands)
        if seen == state {
            candidate = nil
            return nil
        }
        if candidate?.state != seen { candidate = (seen, time) }
        guard let since = candidate?.since, time - since >= delay(of: seen) else { return nil }
        candidate = nil
        state = seen
        return seen
    }

    /// The time that a state must last before it is reported, seconds: a bad one longer.
    private func delay(of seen: SessionState) -> TimeInterval {
        switch seen.name {
        case .nobody: 1
        case .stepBack: 0.7
        default: state == nil ? 0 : 0.3
        }
    }

    private func look(_ poses: [Pose], hands: Int) -> SessionState {
        switch subject {
        case .hands: return hands > 0 ? .live : .noHands
        case .somebody: return poses.isEmpty && hands == 0 ? .nobody : .live
        case .wholeBody:
            guard let person = poses.max(by: { $0.boundingBoxArea() < $1.boundingBoxArea() }) else { return .nobody }
            return cut(person) ?? .live
        }
    }

    /// The instruction that brings head and feet into view; nil if they are.
    private func cut(_ person: Pose) -> SessionState? {
        let margin = Self.edge + (state?.name == .stepBack ? Self.hysteresis : 0)
        func place(_ key: JointKey) -> CGPoint? { person.keypoints[key]?.location }
        let (head, feet) = (
            [place(.nose)].compactMap(\.self), [place(.leftAnkle), place(.rightAnkle)].compactMap(\.self)
        )
        if feet.contains(where: { $0.y < margin }) { return .feetOutside }
        if head.contains(where: { $0.y > 1 - margin }) { return .headOutside }
        if (head + feet).contains(where: { $0.x < margin || $0.x > 1 - margin || $0.y > 1 - margin || $0.y < margin }) {
            return .sideOutside
        }
        return nil
    }
}

struct LiveProblem: Error, Sendable, Equatable {
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
        case crowd
        case ownerOnly = "owner-only"

        /// Whether it concerns a single frame, so that the session continues.
        var concernsOneFrame: Bool { [.badFrame, .tooLarge, .tooFast, .wrongOrder].contains(self) }
    }

    var code: Code
    var message: String
    var sequence: UInt32?
    var isFatal = false

    init(_ code: Code, _ message: String, sequence: UInt32? = nil, isFatal: Bool = false) {
        (self.code, self.message, self.sequence, self.isFatal) = (code, message, sequence, isFatal)
    }

    static func tooManyPhones(_ most: Int) -> LiveProblem {
        LiveProblem(.busy, "\(most) phones are analysed, as many as this computer can at once; end one of them first")
    }

    /// A failure for the client, without paths of this machine.
    init(_ error: any Error, sequence: UInt32? = nil) {
        guard let error = error as? KinemaError else {
            self.init(.unreadable, "the source can no longer be read; start again", sequence: sequence)
            return
        }
        self.init(error.code == .missingComponent ? .missingComponent : .unreadable, error.message, sequence: sequence)
    }
}

struct LiveFindings: Sendable {
    var poses: [Pose] = []
    var hands: [HumanHandPoseObservation] = []
    /// The joints at fault, by the person's number.
    var faults: [Int: Set<JointKey>] = [:]
    var events: [AnalysisEvent] = []
    /// The overlay, bottom first.
    var layers: [OverlayLayer] = []
    var state: SessionState?
}
