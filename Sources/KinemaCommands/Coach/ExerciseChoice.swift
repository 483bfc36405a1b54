import Kinema

/// The exercise named on a command line, or that it is to be recognised.
enum ExerciseChoice: Sendable {
    case automatic
    case exercise(Exercise)

    /// Takes "auto" or any spelling of an exercise's name.
    init?(argument: String) {
        if argument.lowercased() == "auto" {
            self = .automatic
        } else if let exercise = ExerciseLibrary.exercise(named: argument) {
            self = .exercise(exercise)
        } else {
            return nil
        }
    }
}
