import Foundation

/// Whole sweeps over exercises, views, formats and seeds run in `script/test full`; a part of each runs always.
package enum Sweep {
    /// Whether this is `script/test full`.
    package static let isFull = ProcessInfo.processInfo.environment["KINEMA_TESTS"] == "full"

    /// All cases in a full run, otherwise a few of them.
    package static func of<Case>(_ all: [Case], or few: [Case]) -> [Case] { isFull ? all : few }
}
