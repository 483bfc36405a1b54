import Foundation
import KinemaCore

/// Turns poses into smoothed readings, and starts again at a cut.
struct BodyFollower: Sendable {
    enum Step {
        case lost
        case reading(BodyReading, isCut: Bool)
    }

    /// The readings of the last seconds since the last cut.
    private(set) var trail = ReadingTrail()
    private var reader: BodyReader
    private var cut = CutDetector()
    private var smooth: BodyReading?
    private var isLost = false

    /// Time constant of the smoothing beyond the pose's own, seconds.
    private static let smoothing: Float = 0.045
    /// A person who returns into view turned by more than this, in degrees, is in a new shot, as after a cross-fade.
    private static let turned: Float = 45

    init(aspectRatio: Double) { reader = BodyReader(aspectRatio: aspectRatio) }

    mutating func follow(_ pose: Pose?, at time: TimeInterval) -> Step {
        guard let pose, let flat = BodyJoints(pose, aspectRatio: reader.aspectRatio), let size = flat.torsoLength
        else {
            isLost = true
            return .lost
        }
        let isCut = cut.isCut(pose, flat, size: size, at: time) || isLost && isTurned(pose, at: time)
        isLost = false
        if isCut {
            smooth = nil
            reader.reset()
            trail.removeAll()
        }
        guard let raw = reader.read(pose, at: time) else { return .lost }
        var reading = smooth ?? raw
        let interval = Float(max(0, time - reading.time))
        reading.approach(raw, by: smooth == nil ? 1 : interval / (interval + Self.smoothing))
        smooth = reading
        trail.append(reading)
        return .reading(reading, isCut: isCut)
    }

    private func isTurned(_ pose: Pose, at time: TimeInterval) -> Bool {
        var reader = reader
        guard let before = smooth?[.view], let now = reader.read(pose, at: time)?[.view] else { return false }
        return abs(now - before) > Self.turned
    }
}
