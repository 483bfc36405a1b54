package import Foundation

/// A position held without a break.
package struct HeldPosition: Sendable, Hashable {
    /// Seconds.
    package var start, end: TimeInterval
    package var faults: [Fault]
}
