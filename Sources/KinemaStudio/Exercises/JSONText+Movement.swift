import KinemaCore
import KinemaMotion

extension JSONText {
    /// What the page names and draws of the movement: which way it goes first, and the angle that shows how far.
    mutating func movement(of coach: ExerciseCoach) {
        guard let exercise = coach.exercise, let phases = exercise.phases else { return }
        field("lowersFirst", phases.beginsEccentric)
        guard let lead = exercise.leadingAngle else { return }
        let now = coach.leadingAngle
        object("angle") { json in
            json.field("measure", (now?.measure ?? lead.measure).name)
            json.field("degrees", now?.degrees, decimals: 1)
            json.field("rest", lead.rest, decimals: 0)
            json.field("full", lead.full, decimals: 0)
        }
    }
}
