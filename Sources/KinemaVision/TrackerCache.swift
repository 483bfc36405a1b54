import Foundation
import KinemaCore
import KinemaMedia
import Synchronization

/// A least-recently-used cache of trackers for up to eight sources; a source whose time goes back gets a new one.
final class TrackerCache<Tracker: StreamTracker>: Sendable {
    private struct State {
        var tracker: Tracker?
        var lastTime: TimeInterval?
    }

    /// A source's tracker behind a lock, so that the frames of one stream are processed one at a time.
    private final class Entry: Sendable {
        let source: String
        let state = Mutex(State())

        init(_ source: String) { self.source = source }
    }

    private let make: @Sendable () throws -> Tracker
    private let entries = Mutex<[Entry]>([])

    init(make: @escaping @Sendable () throws -> Tracker) { self.make = make }

    func update(_ frame: VideoFrame) throws -> Tracker.Output {
        let entry = entries.withLock { entries in
            let known = entries.firstIndex { $0.source == frame.id.source }.map { entries.remove(at: $0) }
            let entry = known ?? Entry(frame.id.source)
            entries.append(entry)
            if entries.count > 8 { entries.removeFirst() }
            return entry
        }
        return try entry.state.withLock { state in
            if let lastTime = state.lastTime, frame.time <= lastTime { state.tracker = nil }
            var tracker = try state.tracker ?? make()
            // Taking the tracker out of the state avoids copying its arrays.
            state.tracker = nil
            state.lastTime = frame.time
            defer { state.tracker = tracker }
            return try tracker.update(frame)
        }
    }
}
