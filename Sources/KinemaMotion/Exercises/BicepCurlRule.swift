import Foundation
public import KinemaCore

/// FormKit's example: the right forearm up to below 50 degrees at the elbow and back beyond 150 is a curl.
///
/// Angles are measured in the picture, whose two directions Vision normalises each by itself; give the picture's width
/// divided by its height where it is not square.
public struct BicepCurlRule: ExerciseRule {
    /// "Bicep Curl".
    public let name = "Bicep Curl"
    /// The picture's width divided by its height.
    public var aspectRatio: Double
    private var phase = Phase.down

    private enum Phase: String, Sendable { case up, down }

    /// Makes the rule for pictures of the given width divided by height.
    public init(aspectRatio: Double = 1) {
        self.aspectRatio = aspectRatio
    }

    /// Follows the right elbow; while one of its three joints is unsure the phase is kept and nothing counts.
    public mutating func evaluate(
        joints: [HumanBodyPoseObservation.PoseJointName: Joint], currentRepCount: Int
    ) -> RepCounterUpdate {
        guard
            let shoulder = joints[.rightShoulder], let elbow = joints[.rightElbow], let wrist = joints[.rightWrist],
            shoulder.confidence > 0.5, elbow.confidence > 0.5, wrist.confidence > 0.5
        else {
            return RepCounterUpdate(didIncrementRep: false, phase: "tracking lost", debugMessage: "low confidence")
        }
        let angle = elbowAngle(
            shoulder: shoulder.location, elbow: elbow.location, wrist: wrist.location, aspectRatio: aspectRatio)
        var didIncrementRep = false
        switch phase {
        case .down where angle < 50: phase = .up
        case .up where angle > 150:
            phase = .down
            didIncrementRep = true
        default: break
        }
        return RepCounterUpdate(
            didIncrementRep: didIncrementRep, phase: phase.rawValue,
            debugMessage: (didIncrementRep ? "rep! " : "") + "angle=\(Int(angle))°")
    }

    /// Back to hanging arms.
    public mutating func reset() {
        phase = .down
    }
}

extension ExerciseRule {
    /// The angle at the elbow in degrees, 180 when the arm is stretched.
    ///
    /// The points are normalised to the picture; `aspectRatio` is its width divided by its height.
    public func elbowAngle(
        shoulder: NormalizedPoint, elbow: NormalizedPoint, wrist: NormalizedPoint, aspectRatio: Double = 1
    ) -> Double {
        func way(to point: NormalizedPoint) -> SIMD3<Float> {
            SIMD3(Float((point.x - elbow.x) * aspectRatio), Float(point.y - elbow.y), 0)
        }
        return way(to: shoulder).degrees(to: way(to: wrist)).map(Double.init) ?? 180
    }
}
