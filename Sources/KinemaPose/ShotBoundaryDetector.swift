import KinemaSampling
import Foundation
import KinemaCore
package import KinemaMedia
import Synchronization

/// Detects cuts to another camera or scene: a grid of mean brightnesses changes several times as much as recently.
/// Changes of the overall brightness do not count.
struct ShotBoundaryDetector: Sendable {
    private(set) var count = 0
    private var last: [Float]?
    private var lastTime: TimeInterval = 0
    /// The largest recent change in levels of 255; it decays with `halfLife`.
    private var recentChange: Float = 0

    private static let columns = 16
    private static let rows = 9
    /// The number of sampled points per cell in each direction.
    private static let points = 2
    /// The minimum change of a cut in levels of 255.
    private static let minimumChange: Float = 2
    /// The minimum ratio of a cut's change to the recent one; people and shake reach 3.3, cuts 4.9 and more.
    private static let minimumRatio: Float = 4
    /// The half-life of the recent change, in seconds.
    private static let halfLife: TimeInterval = 0.2

    /// Whether a cut precedes this frame, false in the first two of a shot; `time` is that of `SearchClock`.
    mutating func isCut(_ frame: VideoFrame, at time: TimeInterval) -> Bool {
        let grid = Self.grid(of: frame)
        defer { (last, lastTime) = (grid, time) }
        guard let last, time > lastTime else { return false }
        let change = Self.change(from: last, to: grid)
        let isFirst = recentChange == 0
        recentChange *= Float(exp2(-(time - lastTime) / Self.halfLife))
        let isCut = !isFirst && change > Self.minimumChange + Self.minimumRatio * recentChange
        // A new shot has a movement of its own: after a title that stands still, any would be a cut.
        if isCut {
            (count, recentChange) = (count + 1, 0)
        } else {
            recentChange = max(recentChange, change, .leastNormalMagnitude)
        }
        return isCut
    }

    private static func grid(of frame: VideoFrame) -> [Float] {
        let (across, down) = (columns * points, rows * points)
        let positions = (0..<across * down).map { index in
            // Ordered by cell, so that a cell's points are contiguous.
            let (cell, point) = (index / (points * points), index % (points * points))
            let column = cell % columns * points + point % points
            let row = cell / columns * points + point / points
            return SIMD2(
                (Double(column) + 0.5) * Double(frame.width) / Double(across),
                (Double(row) + 0.5) * Double(frame.height) / Double(down))
        }
        let colours = RegionSampler.colours(of: frame, at: positions)
        return (0..<columns * rows).map { cell in
            let sum = colours[cell * points * points..<(cell + 1) * points * points].reduce(SIMD3<Float>(), +)
            return (sum * SIMD3(0.299, 0.587, 0.114)).sum() / Float(points * points)
        }
    }

    private static func change(from before: [Float], to after: [Float]) -> Float {
        let differences = zip(before, after).map { $1 - $0 }
        let median = differences.quantile(0.5) ?? 0
        return differences.reduce(0) { $0 + abs($1 - median) } / Float(differences.count)
    }
}

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

/// Tracks people or hands through the frames of one stream.
package protocol StreamTracker: Sendable {
    associatedtype Output
    mutating func update(_ frame: VideoFrame) throws -> Output
}
