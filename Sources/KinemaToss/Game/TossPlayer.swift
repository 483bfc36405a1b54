public import Foundation
import KinemaCore

/// The player in the picture.
public struct TossPlayer: Sendable, Hashable {
    /// The person's number.
    public var id: Int?
    /// The box around the body, a little larger: normalised, origin at the lower left.
    public var box: CGRect
    /// The distance along the ground from the hole to the player's feet, in metres; nil while the feet are not seen.
    public var distance: Double?

    /// The margin of the box on each side, as a share of the picture's width: 20 of the sample's 896 points.
    private static let margin = 20.0 / 896

    /// Makes the player from a pose; nil if the pose is not confident enough or shows nothing.
    init?(_ pose: Pose, view: FieldView?, aspectRatio: Double, rules: TossRules) {
        guard pose.confidence > rules.bodyConfidence,
            let body = pose.boundingBox(confidenceThreshold: rules.jointConfidence)
        else { return nil }
        id = pose.id
        let picture = CGRect(x: 0, y: 0, width: 1, height: 1)
        box = body.insetBy(dx: -Self.margin, dy: -Self.margin * aspectRatio).intersection(picture)
        // The lower foot is the one on the ground.
        let ankles = [JointKey.leftAnkle, .rightAnkle].compactMap {
            pose.location(of: $0, above: rules.jointConfidence)
        }
        distance = ankles.min { $0.y < $1.y }.flatMap { view?.distance(ofAnklesAt: $0) }
    }
}
