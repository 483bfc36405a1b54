import Foundation
import KinemaCore

/// The properties of a measure for teaching.
struct ShownTraits: Sendable {
    /// The body part, without its side, and the words for more and less than expected, with @ for the amount.
    let part: String, more: String, less: String
    /// The standard deviations from one repetition to the next, and between people doing the same, in its unit.
    let repetitions: Double, people: Double
    /// Measures of one family describe the same thing, so one finding is enough.
    let family: Int
    /// The views in which it can be judged: an angle in a plane of the body is not visible along that plane, where the
    /// model's depth is off by tens of degrees.
    let views: [BodyView]

    /// The natural spread when nothing more is known.
    var floor: Double { (repetitions * repetitions + people * people).squareRoot() }

    /// The measures of shown exercises in order; sides are separate and follow each other.
    ///
    /// The deviations from one repetition to the next are medians over 157 sets in real recordings: people's own
    /// variation plus the pose model's noise. Those between people come from ten movements done correctly by ten people
    /// in UI-PRMD (Vakanski et al., Data 3(1):2, 2018), measured with markers.
    fileprivate static let all: [(measures: [BodyMeasure], traits: ShownTraits)] = {
        let (across, ahead): ([BodyView], [BodyView]) = ([.front, .diagonal], [.side, .diagonal])
        let (bent, apart) = (("@ less bent", "@ more bent"), ("@ farther apart", "@ closer together"))
        let (out, forward) = (("@ farther out", "@ farther in"), ("@ farther forward", "@ farther back"))
        let (high, turned) = (("@ higher", "@ lower"), ("@ more to the left", "@ more to the right"))
        func row(
            _ measures: [BodyMeasure], _ part: String, _ words: (String, String), _ repetitions: Double,
            _ people: Double, _ family: Int, _ views: [BodyView] = BodyView.allCases
        ) -> ([BodyMeasure], ShownTraits) {
            let traits = ShownTraits(
                part: part, more: words.0, less: words.1, repetitions: repetitions, people: people, family: family,
                views: views)
            return (measures, traits)
        }
        return [
            row([.leftKnee, .rightKnee], "knee", bent, 5.5, 5.9, 2, ahead),
            row([.leftHip, .rightHip], "hip", bent, 5.7, 5.8, 1, ahead),
            row([.leftElbow, .rightElbow], "elbow", bent, 6.1, 9.4, 3),
            row([.leftArm, .rightArm], "arm", ("@ farther from the trunk", "@ closer to the trunk"), 6.3, 8.1, 4),
            row([.leftHandHeight, .rightHandHeight], "hand", high, 0.067, 0.1, 5),
            row([.leftArmOut, .rightArmOut], "upper arm", out, 5, 6.2, 4, across),
            row([.leftArmAhead, .rightArmAhead], "upper arm", forward, 6.1, 6.4, 4, ahead),
            row([.leftThighOut, .rightThighOut], "thigh", out, 3.2, 3.5, 6, across),
            row([.leftThighAhead, .rightThighAhead], "thigh", forward, 5.4, 6.9, 1, ahead),
            row([.leftShankAhead, .rightShankAhead], "lower leg", forward, 5.1, 4.9, 2, ahead),
            row(
                [.bodyLine], "hips",
                ("@ lower between shoulders and feet", "@ higher between shoulders and feet"), 3.7, 4, 0, ahead),
            row([.trunk], "trunk", ("leans @ more", "leans @ less"), 2.7, 2.7, 0, []),
            row([.leanForward], "trunk", ("leans @ more forward", "leans @ less forward"), 3, 3.9, 0, ahead),
            row([.leanSideways], "trunk", ("leans " + turned.0, "leans " + turned.1), 1.2, 1.8, 10, across),
            row([.twist], "shoulders", ("turned " + turned.0, "turned " + turned.1), 2.1, 3.7, 11, across),
            row([.head], "head", ("bowed @ more", "bowed @ less"), 4.6, 7.6, 12, ahead),
            row([.legSpread], "legs", apart, 3.2, 5.5, 7, across),
            row([.kneeGap], "knees", apart, 0.054, 0.12, 6, across),
            row([.ankleGap], "feet", apart, 0.068, 0.14, 7, across),
            row([.handGap], "hands", apart, 0.093, 0.18, 13, across),
            row([.hipHeight], "hips", high, 0.056, 0.15, 8),
            // Heights in the picture also change with the camera's height and distance.
            row([.hipRise], "hips", high, 0.05, 0.1, 8), row([.shoulderRise], "shoulders", high, 0.05, 0.1, 8),
            row([.handRise], "hands", high, 0.065, 0.12, 5),
        ]
    }()
    fileprivate static let byMeasure = Dictionary(
        uniqueKeysWithValues: all.flatMap { row in row.measures.map { ($0, row.traits) } })
}

extension BodyMeasure {
    static let shown = ShownTraits.all.flatMap(\.measures)

    /// For the mean of both sides, the traits of one side.
    var traits: ShownTraits { ShownTraits.byMeasure[self] ?? ShownTraits.all[0].traits }

    /// Whether only its change during a repetition is meaningful.
    var isRelative: Bool { [.hipRise, .shoulderRise, .handRise].contains(self) }

    /// The equivalent measure in the mirror image, and the sign of its value there.
    var mirrored: (measure: BodyMeasure, sign: Double) {
        if side != nil, let place = Self.shown.firstIndex(of: self) { return (Self.shown[place ^ 1], 1) }
        return (self, self == .leanSideways || self == .twist ? -1 : 1)
    }

    /// The smallest difference that a person can act on, in its unit.
    var leastDifference: Double { unit == .degrees ? 8 : 0.12 }

    var side: BodySide? { name.hasPrefix("left") ? .left : name.hasPrefix("right") ? .right : nil }

    /// The name without its side, such as "knee".
    var sidelessName: String {
        let rest = name.dropFirst(side?.rawValue.count ?? 0)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    /// The body part with its side, such as "left knee".
    var sidedPart: String { (side.map { "\($0.rawValue) " } ?? "") + traits.part }

    /// A difference in words, such as "right knee 14 degrees less bent".
    func words(_ difference: Double, bothSides: Bool = false) -> String {
        let size = abs(difference) * (unit == .degrees ? 1 : 100)
        let unit =
            unit == .degrees ? "degrees" : unit == .share ? "%" : "% of the trunk's length"
        let way = (difference > 0 ? traits.more : traits.less).replacing("@", with: "\(size.text(0)) \(unit)")
        return "\(bothSides ? "both \(traits.part)s" : sidedPart) \(way)"
    }
}
