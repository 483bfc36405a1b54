import Foundation
import KinemaCore

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
