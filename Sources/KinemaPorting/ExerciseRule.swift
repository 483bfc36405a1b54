import KinemaCounting
import KinemaMotion
import Foundation
public import KinemaCore

/// The result of a rule for one picture: whether a repetition was completed, and the phase.
public struct RepCounterUpdate: Sendable, Hashable {
    /// Whether this picture completed a repetition.
    public var didIncrementRep: Bool
    /// The phase the movement is in, or "tracking lost".
    public var phase: String
    /// A short line for the screen, such as "angle=48°".
    public var debugMessage: String

    /// Makes an update from its three parts.
    public init(didIncrementRep: Bool, phase: String, debugMessage: String) {
        (self.didIncrementRep, self.phase, self.debugMessage) = (didIncrementRep, phase, debugMessage)
    }
}

/// Counts one exercise from the joints of each picture, with FormKit's names; see `Exercise` for exercises as data.
public protocol ExerciseRule: Sendable {
    /// The exercise's displayed name.
    var name: String { get }

    /// Takes the joints of the next picture; joints that were not found are missing, nobody gives none at all.
    mutating func evaluate(
        joints: [HumanBodyPoseObservation.PoseJointName: Joint], currentRepCount: Int
    ) -> RepCounterUpdate

    /// Forgets everything seen.
    mutating func reset()
}

/// A template rule that is always idle and never counts.
public struct TemplateExerciseRule: ExerciseRule {
    /// "Template".
    public let name = "Template"

    /// Makes the template.
    public init() {}

    /// Returns "idle" for any input.
    public mutating func evaluate(
        joints: [HumanBodyPoseObservation.PoseJointName: Joint], currentRepCount: Int
    ) -> RepCounterUpdate {
        RepCounterUpdate(didIncrementRep: false, phase: "idle", debugMessage: "\(joints.count) joints")
    }

    /// Does nothing.
    public mutating func reset() {}
}

/// FormKit's example: the right forearm up to below 50 degrees at the elbow and back beyond 150 is a curl.
///
/// Angles are measured in the picture; give its width / height where it is not square.
public struct BicepCurlRule: ExerciseRule {
    /// "Bicep Curl".
    public let name = "Bicep Curl"
    /// The picture's width divided by its height.
    package var aspectRatio: Double
    private var phase = Phase.down

    private enum Phase: String, Sendable { case up, down }

    /// Makes the rule for pictures of the given width divided by height.
    public init(aspectRatio: Double = 1) { self.aspectRatio = aspectRatio }

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
        let didIncrementRep = phase == .up && angle > 150
        phase = didIncrementRep ? .down : angle < 50 ? .up : phase
        return RepCounterUpdate(
            didIncrementRep: didIncrementRep, phase: phase.rawValue,
            debugMessage: (didIncrementRep ? "rep! " : "") + "angle=\(Int(angle))°")
    }

    /// Back to hanging arms.
    public mutating func reset() { phase = .down }
}

extension ExerciseRule {
    /// The angle at the elbow in degrees, 180 for a straight arm; `aspectRatio` is the picture's width / height.
    public func elbowAngle(
        shoulder: NormalizedPoint, elbow: NormalizedPoint, wrist: NormalizedPoint, aspectRatio: Double = 1
    ) -> Double {
        func way(to point: NormalizedPoint) -> SIMD3<Float> {
            SIMD3(Float((point.x - elbow.x) * aspectRatio), Float(point.y - elbow.y), 0)
        }
        return way(to: shoulder).degrees(to: way(to: wrist)).map(Double.init) ?? 180
    }
}

/// Counts with a rule: feed it the joints of every picture and read the count and the phase.
public struct ExerciseRepCounter: Sendable {
    /// The number of completed repetitions.
    public private(set) var currentReps = 0
    /// The rule's current phase.
    public private(set) var currentPhase = "idle"
    /// The rule's last line for the screen.
    public private(set) var debugMessage = ""

    private var rule: any ExerciseRule

    /// Makes a counter; without a rule it never counts.
    public init(rule: any ExerciseRule = TemplateExerciseRule()) {
        self.rule = rule
        // As in FormKit, the rule reports once before anyone is seen.
        processPose([:])
    }

    /// The rule's name.
    public var exerciseName: String { rule.name }

    /// Takes the joints of the next picture; an empty dictionary when nobody is seen.
    public mutating func processPose(_ joints: [HumanBodyPoseObservation.PoseJointName: Joint]) {
        let update = rule.evaluate(joints: joints, currentRepCount: currentReps)
        if update.didIncrementRep { currentReps += 1 }
        currentPhase = update.phase
        debugMessage = update.debugMessage
    }

    /// Resets the count and the rule.
    public mutating func reset() {
        rule.reset()
        (currentReps, currentPhase, debugMessage) = (0, "idle", "Counter reset")
    }
}
