package import Foundation
package import KinemaCore

/// A per-person processing step, which `PerPerson` runs for each person separately.
package protocol PersonStep: Sendable {
    associatedtype Event: Sendable

    /// Adds the person's next pose (nil if out of view) at a time in seconds and returns the events it confirms.
    mutating func append(_ pose: Pose?, at time: TimeInterval) -> [Event]
    /// Ends the stream and returns the remaining events.
    mutating func finish() -> [Event]
    /// Whether the step holds no results, so that it can be dropped.
    var isEmpty: Bool { get }
}
