import KinemaMotion
import Foundation
import KinemaCore

struct BodyReading: Sendable {
    var time: TimeInterval
    /// The joints of `BodyJoints` relative to the midpoint of the hips, in torso lengths.
    var joints: [SIMD3<Float>] = []
    private var values = SIMD64<Float>(repeating: .nan)
    private var seen = SIMD64<Float>(repeating: .nan)
    private var trust = SIMD64<Float>(repeating: 0)

    /// A measure's value; NaN if its joints are missing.
    subscript(_ measure: BodyMeasure) -> Float { values[measure.rawValue] }

    /// An angle in the picture; NaN if joints are missing or the measure is not an angle of a limb.
    func inPicture(_ measure: BodyMeasure) -> Float { seen[measure.rawValue] }

    /// The confidence of the joints that a measure needs, 0...1.
    func confidence(of measure: BodyMeasure) -> Float { trust[measure.rawValue] }

    init(time: TimeInterval) { self.time = time }

    mutating func set(_ measure: BodyMeasure, _ value: Float, inPicture seen: Float = .nan, _ confidence: Float) {
        values[measure.rawValue] = value
        self.seen[measure.rawValue] = seen
        trust[measure.rawValue] = value.isFinite ? confidence : 0
    }

    /// Blends in a later reading; a missing number is taken from the other.
    mutating func approach(_ next: BodyReading, by gain: Float) {
        values = Self.blend(values, next.values, gain)
        seen = Self.blend(seen, next.seen, gain)
        trust += (next.trust - trust) * gain
        (time, joints) = (next.time, next.joints)
    }

    private static func blend(_ old: SIMD64<Float>, _ new: SIMD64<Float>, _ gain: Float) -> SIMD64<Float> {
        let blended = old + (new - old) * gain
        let isKnown = blended .== blended
        let newIsKnown = new .== new
        return blended.replacing(with: new, where: .!isKnown .& newIsKnown)
    }
}

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

/// The readings of the last seconds, with statistics of a time range.
struct ReadingTrail: Sendable {
    /// The time for which readings are kept, seconds.
    let memory: TimeInterval
    private(set) var readings: [BodyReading] = []

    mutating func append(_ reading: BodyReading) {
        readings.append(reading)
        if let first = readings.first, reading.time - first.time > memory {
            readings.removeFirst(readings.count / 4)
        }
    }

    func between(_ start: TimeInterval, _ end: TimeInterval) -> ArraySlice<BodyReading> {
        guard start <= end else { return [] }
        let first = readings.partitioningIndex { $0.time >= start - 1e-6 }
        let last = readings.partitioningIndex { $0.time > end + 1e-6 }
        return readings[min(first, last)..<last]
    }
}

extension Collection<BodyReading> {
    /// A statistic of a measure, in space or as the picture shows it; nil when no reading has it.
    func value(_ measure: BodyMeasure, _ statistic: BodyTrait.Statistic, inPicture: Bool = false) -> Double? {
        let values = map { Double(inPicture ? $0.inPicture(measure) : $0[measure]) }.filter(\.isFinite).sorted()
        guard !values.isEmpty else { return nil }
        func interpolated(_ share: Double) -> Double {
            // Interpolated, so that the frame rate matters little.
            let place = share * Double(values.count - 1)
            let low = Int(place)
            let high = Swift.min(low + 1, values.count - 1)
            return values[low] + (values[high] - values[low]) * (place - Double(low))
        }
        return switch statistic {
        case .low: interpolated(0.05)
        case .high: interpolated(0.95)
        case .middle: interpolated(0.5)
        case .range: interpolated(0.95) - interpolated(0.05)
        }
    }

    /// The middle view of the camera; nil when no reading shows it.
    var view: BodyView? { value(.view, .middle).map { BodyView(degrees: Float($0)) } }

    /// The mean confidence of a measure's joints.
    func confidence(of measure: BodyMeasure) -> Double {
        isEmpty ? 0 : Double(reduce(0) { $0 + $1.confidence(of: measure) }) / Double(count)
    }
}
