import Foundation
import KinemaCore
package import KinemaMedia
import Synchronization

/// Tracks people or hands through the frames of one stream.
package protocol StreamTracker: Sendable {
    associatedtype Output
    mutating func update(_ frame: VideoFrame) throws -> Output
}

/// A least-recently-used cache of trackers for up to eight sources; a source whose time goes back gets a new one.
final class TrackerCache<Tracker: StreamTracker>: Sendable {
    private let make: @Sendable () throws -> Tracker
    private let entries = Mutex<[(source: String, tracker: LockedTracker<Tracker>)]>([])

    init(make: @escaping @Sendable () throws -> Tracker) { self.make = make }

    func update(_ frame: VideoFrame) throws -> Tracker.Output { try tracker(for: frame.id.source).update(frame) }

    private func tracker(for source: String) -> LockedTracker<Tracker> {
        entries.withLock { entries in
            if let index = entries.firstIndex(where: { $0.source == source }) {
                let entry = entries.remove(at: index)
                entries.append(entry)
                return entry.tracker
            }
            let tracker = LockedTracker(make: make)
            entries.append((source, tracker))
            if entries.count > 8 { entries.removeFirst() }
            return tracker
        }
    }
}

/// A tracker behind a lock, so that the frames of one stream are processed one at a time.
private final class LockedTracker<Tracker: StreamTracker>: Sendable {
    private struct State {
        var tracker: Tracker?
        var lastTime: TimeInterval?
    }

    private let state = Mutex(State())
    private let make: @Sendable () throws -> Tracker

    init(make: @escaping @Sendable () throws -> Tracker) { self.make = make }

    func update(_ frame: VideoFrame) throws -> Tracker.Output {
        try state.withLock { state in
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
