import Foundation
import Synchronization

/// A stage of a run, from the input's bytes to written results.
package enum Stage: Int, CaseIterable, Sendable {
    case decode
    /// Cuts the models' inputs out of the frames.
    case sample
    case infer
    /// Associates detections with people, finds cuts and the camera's motion, and removes jitter.
    case track
    case analyse
    /// Results, exports and overlays.
    case write

    package var name: String { "\(self)" }
}

/// The work of this process in each stage, of all runs and threads together.
///
/// Stages run in parallel, so that their sum can exceed the time that a run takes. One measurement costs two readings of
/// the clock and a lock, about 0.2 µs; the stages of a frame take milliseconds.
package struct StageTimes: Sendable, Equatable {
    private var times = [Duration](repeating: .zero, count: Stage.allCases.count)

    private static let total = Mutex(StageTimes())

    package init() {}

    /// The times since the process started.
    package static var now: StageTimes { total.withLock { $0 } }

    package static func add(_ time: Duration, to stage: Stage) { total.withLock { $0[stage] += time } }

    package static func measure<Value>(_ stage: Stage, _ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer { add(ContinuousClock.now - start, to: stage) }
        return try body()
    }

    package subscript(stage: Stage) -> Duration {
        get { times[stage.rawValue] }
        set { times[stage.rawValue] = newValue }
    }

    package static func - (later: StageTimes, earlier: StageTimes) -> StageTimes {
        var difference = later
        for stage in Stage.allCases { difference[stage] -= earlier[stage] }
        return difference
    }

    /// The seconds of each stage and its share of their sum: `decode 1.20 s (12 %), …`.
    package var text: String {
        let sum = times.reduce(.zero, +)
        return Stage.allCases.map { stage in
            let share = sum > .zero ? self[stage] / sum : 0
            return String(format: "%@ %.2f s (%.0f %%)", stage.name, self[stage] / .seconds(1), 100 * share)
        }.joined(separator: ", ")
    }
}
