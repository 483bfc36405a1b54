import Foundation
import KinemaCore
package import KinemaMedia
import Synchronization

/// Follows what is in one stream from frame to frame.
package protocol StreamTracker: Sendable {
    /// What is seen in a frame.
    associatedtype Seen
    /// Takes the stream's next frame.
    mutating func update(_ frame: VideoFrame) throws -> Seen
}

/// One tracker a source, the least lately used given up beyond eight; a source that goes back in time starts anew.
final class SceneShelf<Tracker: StreamTracker>: Sendable {
    private let make: @Sendable () throws -> Tracker
    private let scenes = Mutex<[(source: String, scene: Scene<Tracker>)]>([])

    init(make: @escaping @Sendable () throws -> Tracker) {
        self.make = make
    }

    /// What is seen in the next frame of its source.
    func update(_ frame: VideoFrame) throws -> Tracker.Seen {
        try scene(of: frame.id.source).update(frame)
    }

    private func scene(of source: String) -> Scene<Tracker> {
        scenes.withLock { scenes in
            if let index = scenes.firstIndex(where: { $0.source == source }) {
                let known = scenes.remove(at: index)
                scenes.append(known)
                return known.scene
            }
            let scene = Scene(make: make)
            scenes.append((source, scene))
            if scenes.count > 8 { scenes.removeFirst() }
            return scene
        }
    }
}

/// A tracker behind a lock: frames of one stream are looked at one after the other.
private final class Scene<Tracker: StreamTracker>: Sendable {
    private struct State {
        var tracker: Tracker?
        var lastTime: TimeInterval?
    }

    private let state = Mutex(State())
    private let make: @Sendable () throws -> Tracker

    init(make: @escaping @Sendable () throws -> Tracker) {
        self.make = make
    }

    func update(_ frame: VideoFrame) throws -> Tracker.Seen {
        try state.withLock { state in
            if let lastTime = state.lastTime, frame.time <= lastTime { state.tracker = nil }
            var tracker = try state.tracker ?? make()
            // The tracker is taken out while it works, so that its arrays are not copied.
            state.tracker = nil
            state.lastTime = frame.time
            defer { state.tracker = tracker }
            return try tracker.update(frame)
        }
    }
}
