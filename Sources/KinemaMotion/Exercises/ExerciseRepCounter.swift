public import KinemaCore

/// Counts with a rule: feed it the joints of every picture and read the count and the phase.
public struct ExerciseRepCounter: Sendable {
    /// How many repetitions were completed.
    public private(set) var currentReps = 0
    /// The phase the rule is in.
    public private(set) var currentPhase = "idle"
    /// The rule's last line for the screen.
    public private(set) var debugMessage = ""

    private var rule: any ExerciseRule

    /// Makes a counter; without a rule it never counts.
    public init(rule: any ExerciseRule = TemplateExerciseRule()) {
        self.rule = rule
        // As in FormKit, the rule says its first word before anybody is seen.
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

    /// Starts again from nothing.
    public mutating func reset() {
        rule.reset()
        currentReps = 0
        currentPhase = "idle"
        debugMessage = "Counter reset"
    }
}
