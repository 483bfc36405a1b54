import Foundation
import KinemaCore

/// Tells whether the picture shows what is to be seen, and holds on to its opinion so that it does not flicker.
struct FramingJudge: Sendable {
    /// What is to be seen.
    enum Wish: Sendable {
        case somebody, wholeBody, hands
    }

    let wish: Wish
    /// The state believed now; nil before the first.
    private(set) var state: SessionState?
    private var doubt: (state: SessionState, since: TimeInterval)?

    /// Beyond the picture's edge by this much a head or a foot is cut off, a share of the picture: an ankle this near
    /// has its foot outside.
    private static let edge = 0.02
    /// And so much farther in it must come to be seen again.
    private static let hysteresis = 0.015

    init(_ wish: Wish) {
        self.wish = wish
    }

    /// Takes what was found in the next frame; returns the state when it is another one than before.
    mutating func take(_ poses: [Pose], hands: Int, at time: TimeInterval) -> SessionState? {
        let seen = look(poses, hands: hands)
        if seen == state {
            doubt = nil
            return nil
        }
        if doubt?.state != seen { doubt = (seen, time) }
        guard let since = doubt?.since, time - since >= patience(with: seen) else { return nil }
        doubt = nil
        state = seen
        return seen
    }

    /// How long something must be seen before it is believed, seconds: good news soon, bad news once they last.
    private func patience(with seen: SessionState) -> TimeInterval {
        switch seen.name {
        case .nobody: 1
        case .stepBack: 0.7
        default: state == nil ? 0 : 0.3
        }
    }

    private func look(_ poses: [Pose], hands: Int) -> SessionState {
        switch wish {
        case .hands: return hands > 0 ? .live : .noHands
        case .somebody: return poses.isEmpty && hands == 0 ? .nobody : .live
        case .wholeBody:
            guard let person = poses.max(by: { $0.boundingBoxArea() < $1.boundingBoxArea() }) else { return .nobody }
            return cut(person).map { SessionState(name: .stepBack, message: $0) } ?? .live
        }
    }

    /// What to do so that head and feet show; nil when they do.
    private func cut(_ person: Pose) -> String? {
        let margin = Self.edge + (state?.name == .stepBack ? Self.hysteresis : 0)
        func place(_ key: JointKey) -> CGPoint? { person.keypoints[key]?.location }
        let (head, feet) = (
            [place(.nose)].compactMap(\.self), [place(.leftAnkle), place(.rightAnkle)].compactMap(\.self)
        )
        if feet.contains(where: { $0.y < margin }) { return "Step back so that your feet show" }
        if head.contains(where: { $0.y > 1 - margin }) { return "Step back so that your head shows" }
        if (head + feet).contains(where: { $0.x < margin || $0.x > 1 - margin || $0.y > 1 - margin || $0.y < margin }) {
            return "Move so that all of you is in the picture"
        }
        return nil
    }
}
