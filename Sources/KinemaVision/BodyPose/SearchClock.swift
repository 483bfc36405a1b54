import Foundation
import KinemaCore
import KinemaMedia

/// The time by which searches are due: the stream's, without dropped frames. A search takes as long as many frames of
/// following, so a slow machine would otherwise search in every frame and never catch up.
struct SearchClock: Sendable {
    /// The longest step between two frames, in durations of the earlier one: a file leaves out a frame now and then.
    private static let longestStep = 2.0
    /// A step that every frame may take, in seconds: that of 30 frames a second.
    private static let usualStep: TimeInterval = 1.0 / 30
    /// The step to a frame before the last one, in seconds: another recording may have begun, so a search is due.
    private static let restart: TimeInterval = 1

    /// Seconds since the first frame.
    private(set) var time: TimeInterval = 0
    private var last: ClosedRange<TimeInterval>?

    mutating func advance(to frame: VideoFrame) {
        let range = frame.id.rangeInSeconds
        defer { last = range.lowerBound...max(range.lowerBound, range.upperBound) }
        guard let last else { return }
        let step = range.lowerBound - last.lowerBound
        let limit = max(Self.longestStep * (last.upperBound - last.lowerBound), Self.usualStep)
        time += step < 0 ? Self.restart : min(step, limit)
    }
}
