import Foundation
import Kinema
import KinemaMotion

/// Reads a kept set as a recording to learn an exercise from.
enum SessionDemonstration {
    /// The most prominent person's poses; `kept` are the repetitions to learn from, by number.
    static func read(_ packed: Data, file: String, kept: ClosedRange<Int>?) throws -> Demonstration {
        let limits = PoseFileLimits()
        var reader = PoseLinesReader(
            try Gzip.unpack(Array(packed), limit: limits.bytes, file: file), limits, file: file)
        var selector = ProminentPersonSelector()
        var shown: Demonstration?
        while let frame = try reader.next() {
            try Task.checkCancellation()
            let ratio = (AspectRatio(width: frame.width, height: frame.height) ?? .usual).value
            if shown == nil { shown = Demonstration(aspectRatio: ratio, kept: kept) }
            shown?.append(selector.select(frame.poses, at: frame.time), at: frame.time)
        }
        guard var shown else { throw KinemaError(.unreadableInput, "nobody is seen in this set") }
        shown.finish()
        return shown
    }
}
