package import Foundation

/// How long a person may be out of view, or frames may be missing, before the time between counts as unseen.
package struct SightGap: Sendable, Hashable {
    /// Seconds.
    package let longest: TimeInterval

    /// Half a second: a fast repetition fits into a longer gap. Three frames where they come more slowly.
    private static let (seconds, frames) = (0.5, 3.0)

    /// The gap for frames at these times, which rise.
    package init(_ times: [TimeInterval]) {
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        longest = max(Self.seconds, Self.frames * (steps.isEmpty ? 0 : steps[steps.count / 2]))
    }

    /// Whether moments follow each other from start to end without a gap.
    package func isUnbroken(_ moments: some Sequence<TimeInterval>, from start: TimeInterval, to end: TimeInterval)
        -> Bool
    {
        var before = start
        for time in moments {
            if time - before > longest { return false }
            before = time
        }
        return end - before <= longest
    }
}
