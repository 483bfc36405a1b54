import Foundation

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
