package import KinemaCore

package struct Body: Sendable {
    /// The standing height, in metres.
    package var height = 1.75
    /// The thickness of all parts, 1 for an average build.
    package var girth = 1.0
    /// The length of legs and arms and the width of the shoulders, 1 for the average.
    package var legs = 1.0, arms = 1.0, shoulders = 1.0
    package var appearance = Appearance.trainer

    package static func random(using random: inout RandomSource) -> Body {
        Body(
            height: random.number(in: 1.55...1.95), girth: random.number(in: 0.88...1.2),
            legs: random.number(in: 0.95...1.05), arms: random.number(in: 0.95...1.05),
            shoulders: random.number(in: 0.92...1.1), appearance: .random(using: &random))
    }
}

/// Lengths in metres, as shares of the standing height by Drillis and Contini (1966), from Winter, "Biomechanics and
/// Motor Control of Human Movement", figure 4.1.
extension Body {
    var upperArm: Double { 0.186 * height * arms }
    var forearm: Double { 0.146 * height * arms }
    var thigh: Double { 0.245 * height * legs }
    var shank: Double { 0.246 * height * legs }
    var ankleHeight: Double { 0.039 * height }
    var trunk: Double { 0.288 * height }
    /// Between the joint centres, which lie well inside the outline (0.259 and 0.191 of the height across).
    var shoulderHalfWidth: Double { 0.106 * height * shoulders }
    var hipHalfWidth: Double { 0.058 * height }
    /// The height of the hip joint above the ground when standing upright.
    var hipHeight: Double { ankleHeight + thigh + shank }
}
