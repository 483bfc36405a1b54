import Foundation
import KinemaCore

/// How a body that is suddenly seen from another side would have looked from there before.
///
/// A cut to another camera changes the picture but not the body: the turn that brings the body before the cut onto the
/// body after it brings everything before to where the new camera would have seen it. A movement that goes on through a
/// cut is so one movement.
struct ViewChange {
    private let rotation: Rotation
    /// From the front and from behind a body looks much the same, and its sides are mistaken.
    private let exchangesSides: Bool
    private let before: Posture
    private let after: Posture
    private let shapeBefore: SIMD32<Float>
    private let reader: PostureReader

    /// How far the joints may lie apart after the turn, root mean square in torso lengths. Landmarks in space of one body
    /// seen from two sides do so by 0.05 to 0.35, by more where time went by.
    private static let sameBody: Float = 0.35

    /// Nil when the posture after the cut is another one than before it, or when not enough is known of both in space.
    /// The reader is one that has read nothing but what comes after the cut.
    init?(from before: Posture, to after: Posture, reader: PostureReader) {
        let straight = Rotation(from: before.space, to: after.space)
        let crossed = Rotation(from: before.space.exchanged, to: after.space)
        let distance = before.space.turned(straight).distance(to: after.space)
        let other = before.space.exchanged.turned(crossed).distance(to: after.space)
        guard min(distance, other) < Self.sameBody else { return nil }
        exchangesSides = other < 0.7 * distance
        rotation = exchangesSides ? crossed : straight
        (self.before, self.after, self.reader) = (before, after, reader)
        let space = (exchangesSides ? before.space.exchanged : before.space).turned(rotation)
        shapeBefore = reader.shape(of: space.points, size: 1).shape
    }

    /// A posture of before the cut as it looks from the new side.
    func seen(_ posture: Posture) -> Posture {
        var seen = posture
        seen.space = (exchangesSides ? posture.space.exchanged : posture.space).turned(rotation)
        seen.shape = after.shape + reader.shape(of: seen.space.points, size: 1).shape - shapeBefore
        // How high the body is looks the same from every side.
        for channel in Channel.heights + 1...Channel.heights + 2 {
            seen.shape[channel] = after.shape[channel] + posture.shape[channel] - before.shape[channel]
        }
        seen.weight = pointwiseMin(posture.weight, after.weight)
        seen.centre = after.centre + posture.centre - before.centre
        seen.size = after.size * posture.size / max(before.size, 1e-6)
        return seen
    }
}
