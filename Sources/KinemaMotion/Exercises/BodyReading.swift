import Foundation
import KinemaCore

/// All measures of a body in one picture.
struct BodyReading: Sendable {
    var time: TimeInterval
    private var values = SIMD32<Float>(repeating: .nan)
    private var seen = SIMD32<Float>(repeating: .nan)
    private var trust = SIMD32<Float>(repeating: 0)

    /// A measure's value; not a number when its joints are missing.
    subscript(_ measure: BodyMeasure) -> Float { values[measure.rawValue] }

    /// An angle as it is seen in the picture; not a number where the joints are missing or the measure is no such angle.
    func inPicture(_ measure: BodyMeasure) -> Float { seen[measure.rawValue] }

    /// How sure the joints are that a measure needs, 0...1.
    func confidence(of measure: BodyMeasure) -> Float { trust[measure.rawValue] }

    init(time: TimeInterval) { self.time = time }

    mutating func set(_ measure: BodyMeasure, _ value: Float, inPicture seen: Float = .nan, _ confidence: Float) {
        values[measure.rawValue] = value
        self.seen[measure.rawValue] = seen
        trust[measure.rawValue] = value.isFinite ? confidence : 0
    }

    /// Blends in a later reading; where one of the two has no number the other's is taken.
    mutating func approach(_ next: BodyReading, by gain: Float) {
        values = Self.blend(values, next.values, gain)
        seen = Self.blend(seen, next.seen, gain)
        trust += (next.trust - trust) * gain
        time = next.time
    }

    private static func blend(_ old: SIMD32<Float>, _ new: SIMD32<Float>, _ gain: Float) -> SIMD32<Float> {
        let blended = old + (new - old) * gain
        let isKnown = blended .== blended
        let newIsKnown = new .== new
        return blended.replacing(with: new, where: .!isKnown .& newIsKnown)
    }
}

/// Measures bodies: in space where the model gives depth, in the picture where it does not.
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
        // What looks short is seen from its end, so lengths grow fast and shrink slowly.
        let interval = Float(max(0, time - lastTime))
        torso = torso == 0 ? length : torso + (length - torso) * interval / (interval + (length > torso ? 0.3 : 2))
        lastTime = time
        guard torso > 0 else { return nil }
        var reading = BodyReading(time: time)
        let body = BodyInSpace(pose, flat: flat)
        body.measureLimbs(&reading)
        body.measureTrunk(&reading)
        measureHeights(flat, &reading)
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
