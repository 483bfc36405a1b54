public import KinemaCore

/// What a rule says about one picture: whether a repetition was completed, and what the person is doing.
public struct RepCounterUpdate: Sendable, Hashable {
    /// Whether this picture completed a repetition.
    public var didIncrementRep: Bool
    /// The phase the movement is in, or "tracking lost".
    public var phase: String
    /// A short line for the screen, such as "angle=48°".
    public var debugMessage: String

    /// Makes an update from its three parts.
    public init(didIncrementRep: Bool, phase: String, debugMessage: String) {
        self.didIncrementRep = didIncrementRep
        self.phase = phase
        self.debugMessage = debugMessage
    }
}

/// Counts one exercise from the joints of each picture; a value type, so that its phase stays inside it.
///
/// The names are FormKit's. For exercises described by data see `Exercise`.
public protocol ExerciseRule: Sendable {
    /// The exercise's name as it is shown.
    var name: String { get }

    /// Takes the joints of the next picture; joints that were not found are missing, nobody gives none at all.
    mutating func evaluate(
        joints: [HumanBodyPoseObservation.PoseJointName: Joint], currentRepCount: Int
    ) -> RepCounterUpdate

    /// Forgets everything seen.
    mutating func reset()
}

/// The rule to begin from: it is always idle and never counts.
public struct TemplateExerciseRule: ExerciseRule {
    /// "Template".
    public let name = "Template"

    /// Makes the template.
    public init() {}

    /// Says "idle", whatever it is given.
    public mutating func evaluate(
        joints: [HumanBodyPoseObservation.PoseJointName: Joint], currentRepCount: Int
    ) -> RepCounterUpdate {
        RepCounterUpdate(didIncrementRep: false, phase: "idle", debugMessage: "\(joints.count) joints")
    }

    /// Does nothing: there is nothing to forget.
    public mutating func reset() {}
}
