import Foundation
import KinemaCore

/// Follows a movement along one dimension: about 0 where a repetition begins and 1 where it turns.
///
/// Once a way out is known, a posture's place along it is the phase. Until then it is how far the body is from the
/// posture it last rested in, so that a chart shows something from the first frame on.
struct PhaseSignal {
    /// The newest posture's phase, nil while nobody is seen.
    private(set) var value: Float?
    private var rest: Posture?
    /// Where the body was when the present stillness began, if it is still.
    private var still: Posture?

    /// How far from where it rested a body must go to be charted as one whole way, torso lengths: an arm bent.
    private static let wholeWay: Float = 1
    /// A body that stays within this of a posture is still there, torso lengths: twice the jitter of landmarks.
    private static let stillness: Float = 0.15

    /// Takes the next posture and its place on the way of the set under way, if any.
    mutating func take(_ posture: Posture, place: Float?) {
        if let still, still.distance(to: posture) < Self.stillness {
            if posture.time - still.time > 0.7 { rest = posture }
        } else {
            still = posture
        }
        value = place ?? (rest ?? posture).distance(to: posture) / Self.wholeWay
        if rest == nil { rest = posture }
    }

    /// Nobody is seen any more.
    mutating func pause() {
        value = nil
    }

    /// What comes next is another view, in which no posture is known.
    mutating func reset() {
        self = PhaseSignal()
    }
}
