import CCountingData
import Foundation

// SAFETY: the bytes are constants of the program, and their number comes with them.

/// What KinemaMotion was fitted to or describes, as its files hold it.
enum CountingData {
    static var repetitionNetwork: Data { data(kinema_repetition_network()) }
    static var cycleTrees: Data { data(kinema_cycle_trees()) }
    static var solutionTrees: Data { data(kinema_solution_trees()) }
    static var exerciseLibrary: Data { data(kinema_exercise_library()) }

    private static func data(_ embedded: kinema_data) -> Data { Data(bytes: embedded.bytes, count: embedded.count) }
}
