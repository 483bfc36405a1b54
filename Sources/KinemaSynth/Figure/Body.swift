internal import KinemaDraw

/// A person's build: how long and how thick every part is, and what it wears.
package struct Body: Sendable {
    /// Standing height in metres.
    package var height: Double
    /// Thickness of all parts, 1 for an average build.
    package var girth: Double
    /// Length of the legs as a share of the average.
    package var legs: Double
    /// Length of the arms as a share of the average.
    package var arms: Double
    /// Width of the shoulders as a share of the average.
    package var shoulders: Double
    /// Colours and cut of what is worn.
    package var look: Look

    /// Makes a build; 1 means average.
    package init(
        height: Double = 1.75, girth: Double = 1, legs: Double = 1, arms: Double = 1, shoulders: Double = 1,
        look: Look = .trainer
    ) {
        self.height = height
        self.girth = girth
        self.legs = legs
        self.arms = arms
        self.shoulders = shoulders
        self.look = look
    }

    /// A build drawn at random among ordinary adults.
    package static func random(using random: inout RandomSource) -> Body {
        Body(
            height: random.number(in: 1.55...1.95), girth: random.number(in: 0.88...1.2),
            legs: random.number(in: 0.95...1.05), arms: random.number(in: 0.95...1.05),
            shoulders: random.number(in: 0.92...1.1), look: .random(using: &random))
    }
}

/// Lengths in metres; the shares of the standing height are those of Drillis and Contini (1966), as in Winter,
/// "Biomechanics and Motor Control of Human Movement", figure 4.1.
extension Body {
    var upperArm: Double { 0.186 * height * arms }
    var forearm: Double { 0.146 * height * arms }
    var thigh: Double { 0.245 * height * legs }
    var shank: Double { 0.246 * height * legs }
    var ankleHeight: Double { 0.039 * height }
    var trunk: Double { 0.288 * height }
    /// Between the joints' centres, which lie well inside the outline (0.259 and 0.191 of the height across).
    var shoulderHalfWidth: Double { 0.106 * height * shoulders }
    var hipHalfWidth: Double { 0.058 * height }
    /// Hip joint above the ground in upright stance.
    var hipHeight: Double { ankleHeight + thigh + shank }
}
