import KinemaSampling
import Foundation
import KinemaCore
import KinemaMedia

/// The schedule for searching parts of a video's frames: all wide parts first, then all parts in turn. While nobody is
/// in view or a shot is not fully searched, all parts take one `cycle`; later only regular searches take parts.
struct PartSchedule: Sendable {
    /// A part of the picture; close-ups are for people who are small in the whole picture.
    struct Part: Sendable, Equatable {
        var region: Region
        var isCloseUp: Bool

        /// Whether a body's region fits the part; close-ups show only pieces of larger people.
        func accepts(_ body: Region) -> Bool {
            let offset = body.center - region.center
            return !isCloseUp || body.side <= region.side && max(abs(offset.x), abs(offset.y)) <= region.side / 2
        }
    }

    /// The time in which every part is searched while nobody is in view, in seconds.
    static let cycle: TimeInterval = 0.5
    let includesCloseUps: Bool
    private var isFirst = true
    /// The number of parts not searched since the shot's first frame; nil before that.
    private var remaining: Int?
    private var next = (wide: 0, closeUp: 0)
    private var lastTime: TimeInterval?
    /// The number of parts due, including a fraction that carries over to the next frame.
    private var due = 0.0

    init(includesCloseUps: Bool) { self.includesCloseUps = includesCloseUps }

    var hasBegun: Bool { !isFirst }

    var isSweeping: Bool { remaining != 0 }

    mutating func restart() { (isFirst, remaining) = (true, nil) }

    func closeUps(of size: SIMD2<Double>, share: Double = BodySearch.shares[1]) -> [Part] {
        guard includesCloseUps else { return [] }
        return BodySearch.parts(of: size, shares: [share]).map { Part(region: $0, isCloseUp: true) }
    }

    mutating func parts(of size: SIMD2<Double>, at time: TimeInterval, isAnyoneInView: Bool) -> [Part] {
        let wide = BodySearch.parts(of: size, shares: [BodySearch.shares[0]]).map { Part(region: $0, isCloseUp: false) }
        let closeUps = closeUps(of: size)
        defer { (isFirst, lastTime) = (false, time) }
        if isFirst {
            remaining = wide.count + closeUps.count
            return wide
        }
        if isAnyoneInView, !isSweeping { return Self.turn(&next.wide, wide) + Self.turn(&next.closeUp, closeUps) }
        let total = Double(wide.count + closeUps.count)
        let share = min(1, max(0, time - (lastTime ?? time)) / Self.cycle)
        due = min(total, due + share * total)
        let count = max(1, Int(due + 1e-6))
        due = max(0, due - Double(count))
        remaining = max(0, (remaining ?? 0) - count)
        // Turns are proportional, so that wide parts, which find more, alternate with close-ups.
        return (0..<count).flatMap { _ in
            (next.wide + 1) * closeUps.count <= (next.closeUp + 1) * wide.count || closeUps.isEmpty
                ? Self.turn(&next.wide, wide) : Self.turn(&next.closeUp, closeUps)
        }
    }

    private static func turn(_ index: inout Int, _ parts: [Part]) -> [Part] {
        guard !parts.isEmpty else { return [] }
        defer { index += 1 }
        return [parts[index % parts.count]]
    }
}

/// Detections that verification rejected recently; they are not verified again at once.
struct RejectedRegions: Sendable {
    /// The lifetime of a rejected detection, in seconds: it is verified once per search of all parts.
    static let lifetime = PartSchedule.cycle
    /// The gain in score after which a detection is verified earlier.
    static let scoreGain: Float = 0.1
    /// The rotation, in radians, after which a region counts as another one.
    static let rotation = 0.5

    private var rejections: [(detection: AnchorDetection, time: TimeInterval)] = []

    func contains(_ detection: AnchorDetection, at time: TimeInterval) -> Bool {
        let region = detection.bodyRegion
        return rejections.contains { rejection in
            let rejected = rejection.detection.bodyRegion
            return abs(time - rejection.time) < Self.lifetime
                && detection.score < rejection.detection.score + Self.scoreGain
                && rejected.isSimilar(to: region)
                && abs(remainder(rejected.angle - region.angle, 2 * .pi)) < Self.rotation
        }
    }

    mutating func insert(_ detection: AnchorDetection, at time: TimeInterval) {
        rejections.removeAll { abs(time - $0.time) >= Self.lifetime }
        rejections.append((detection, time))
    }
}

/// The turns in which tracks are checked, and how often in a row each was doubtful.
struct TrackChecks: Sendable {
    /// The time between two checks, in seconds: one takes as long as following a person for two to four frames.
    private static let interval: TimeInterval = 2
    /// The time after which a doubtful track is checked again.
    private static let intervalInDoubt: TimeInterval = 0.5
    /// After this many doubtful checks in a row a track shows nobody.
    private static let maximumDoubts = 3

    private var lastTime: TimeInterval?
    private var lastID = 0
    private var doubts: [Int: Int] = [:]

    mutating func next(of ids: [Int], at time: TimeInterval) -> Int? {
        doubts = doubts.filter { ids.contains($0.key) }
        let last = lastTime ?? time
        lastTime = lastTime ?? time
        let interval = doubts.isEmpty ? Self.interval : Self.intervalInDoubt
        guard time - last >= interval || time < last else { return nil }
        // A doubtful track is checked again before the others.
        guard let id = doubts.keys.min() ?? ids.first(where: { $0 > lastID }) ?? ids.first else { return nil }
        (lastTime, lastID) = (time, id)
        return id
    }

    /// Records a check; returns whether the track has been doubtful too often.
    mutating func isRefuted(_ id: Int, isDoubtful: Bool) -> Bool {
        doubts[id] = isDoubtful ? (doubts[id] ?? 0) + 1 : nil
        return (doubts[id] ?? 0) >= Self.maximumDoubts
    }
}

/// The times at which a picture is searched turned as well: once a second while nobody is in view, first when every
/// part of it has been searched upright.
struct TurnedSearchSchedule: Sendable {
    static let interval: TimeInterval = 1

    private var emptySince: TimeInterval?
    private var last = -TimeInterval.infinity

    mutating func isDue(at time: TimeInterval, isAnyoneInView: Bool) -> Bool {
        guard !isAnyoneInView else {
            emptySince = nil
            return false
        }
        let since = emptySince ?? time
        emptySince = since
        guard time - since >= PartSchedule.cycle - 1e-6, time - last >= Self.interval - 1e-6 else { return false }
        last = time
        return true
    }
}
