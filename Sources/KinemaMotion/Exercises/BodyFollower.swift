import Foundation
import KinemaCore

/// Turns poses into smoothed readings, and starts again at a cut.
struct BodyFollower: Sendable {
    enum Step {
        case lost
        case reading(BodyReading, isCut: Bool)
    }

    /// The readings of the last minutes, those before a cut too: a counter may find repetitions there later.
    private(set) var trail: ReadingTrail
    private var reader: BodyReader
    private var cut = CutDetector()
    /// Left and right over time: faults and symmetry need them, while counting does better without.
    private(set) var sides = SideContinuity()
    private var smooth: BodyReading?
    private var isLost = false

    /// Time constant of the smoothing beyond the pose's own, seconds.
    private static let smoothing: Float = 0.045
    /// A person who returns into view turned by more than this, in degrees, is in a new shot, as after a cross-fade.
    private static let turned: Float = 45

    init(aspectRatio: Double, memory: TimeInterval) {
        reader = BodyReader(aspectRatio: aspectRatio)
        trail = ReadingTrail(memory: memory)
    }

    mutating func follow(_ pose: Pose?, at time: TimeInterval) -> Step {
        let kept = sides.kept([pose].compactMap(\.self), at: time, aspectRatio: Double(reader.aspectRatio)).first
        guard let pose = kept, let flat = BodyJoints(pose, aspectRatio: reader.aspectRatio), let size = flat.torsoLength
        else {
            isLost = true
            return .lost
        }
        let isCut = cut.isCut(pose, flat, size: size, at: time) || isLost && isTurned(pose, at: time)
        isLost = false
        if isCut {
            smooth = nil
            reader.reset()
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

/// Measures bodies: in space if the model gives depth, else in the picture.
struct BodyReader: Sendable {
    let aspectRatio: Float
    /// The torso's length in picture heights, slowly following.
    private var torso: Float = 0
    private var lastTime: TimeInterval = 0

    init(aspectRatio: Double) { self.aspectRatio = Float(aspectRatio) }

    mutating func reset() { torso = 0 }

    /// The reading of a pose; nil when there is too little of the trunk to measure against.
    mutating func read(_ pose: Pose, at time: TimeInterval) -> BodyReading? {
        guard let flat = BodyJoints(pose, aspectRatio: aspectRatio), let length = flat.torsoLength else { return nil }
        // A torso seen from its end looks short, so the length grows fast and shrinks slowly.
        let interval = Float(max(0, time - lastTime))
        torso = torso == 0 ? length : torso + (length - torso) * interval / (interval + (length > torso ? 0.3 : 2))
        lastTime = time
        guard torso > 0 else { return nil }
        var reading = BodyReading(time: time)
        let body = BodyGeometry(pose, flat: flat)
        body.measureLimbs(&reading)
        body.measureTrunk(&reading)
        measureHeights(flat, &reading)
        reading.joints = body.joints
        return reading
    }

    private func measureHeights(_ flat: BodyJoints, _ reading: inout BodyReading) {
        func put(_ measure: BodyMeasure, _ pair: (Int, Int)) {
            let (l, r) = (flat.confidences[pair.0] + 0.01, flat.confidences[pair.1] + 0.01)
            let height = (flat.points[pair.0].y * l + flat.points[pair.1].y * r) / (l + r)
            reading.set(measure, height / torso, max(l, r))
        }
        put(.hipRise, BodyJoints.hips)
        put(.shoulderRise, BodyJoints.shoulders)
        put(.handRise, BodyJoints.wrists)
        put(.ankleRise, BodyJoints.ankles)
        reading.set(
            .hipHeight, reading[.hipRise] - reading[.ankleRise],
            min(reading.confidence(of: .hipRise), reading.confidence(of: .ankleRise)))
    }
}
