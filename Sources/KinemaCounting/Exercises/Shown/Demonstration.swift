public import Foundation
public import KinemaCore

/// One recording from which an exercise is learnt: the poses of a person who repeats it correctly, or with a named
/// fault.
///
/// Give it every pose in order of time, then call `finish()`.
public struct Demonstration: Sendable {
    /// The fault that every repetition shows; nil if they are correct.
    package let fault: String?
    /// The repetitions to learn from, by number from 1; nil for all.
    package var kept: ClosedRange<Int>?
    /// The repetitions found, in order of time.
    package private(set) var repetitions: [Repetition] = []
    private var counter: RepetitionCounter
    private var follower: BodyFollower
    /// The number of cuts in the recording.
    package private(set) var cuts = 0

    /// The longest recording for which readings are kept, seconds.
    static let memory: TimeInterval = 300

    /// Creates a demonstration without poses, in pictures of the given width divided by height.
    public init(aspectRatio: Double, fault: String? = nil, kept: ClosedRange<Int>? = nil) {
        (self.fault, self.kept) = (fault, kept)
        counter = RepetitionCounter(aspectRatio: aspectRatio, expecting: .exercise)
        follower = BodyFollower(aspectRatio: aspectRatio, memory: Self.memory)
    }

    /// Adds the pose of the next frame, nil when the person is not seen, at a time in seconds.
    public mutating func append(_ pose: Pose?, at time: TimeInterval) {
        repetitions += counter.append(pose, at: time)
        if case .reading(_, let isCut) = follower.follow(pose, at: time), isCut { cuts += 1 }
    }

    /// Ends the recording.
    public mutating func finish() {
        _ = counter.finish()
        repetitions = counter.repetitions
    }

    /// The chosen repetitions on the common phase.
    var courses: [RepetitionCourse] { chosen.compactMap { course(of: $0.element) } }
    /// The numbers of the chosen repetitions that show too little of the body to learn from.
    package var unseen: [Int] { chosen.filter { course(of: $0.element) == nil }.map { $0.offset + 1 } }

    private var chosen: [(offset: Int, element: Repetition)] {
        repetitions.enumerated().filter { kept?.contains($0.offset + 1) ?? true }
    }

    private func course(of one: Repetition) -> RepetitionCourse? {
        RepetitionCourse(follower.trail, from: one.start, to: one.end)
    }
}

extension Demonstration {
    /// What a repetition of the same exercise reaches, also of another person, from another view or with a fault: this
    /// fit (`ShownReview`; squats of six people 0.12 to 0.62, bridges with squats 0.05), and this share of the way that
    /// the joints of the other recording move (0.6 to 1.2, curls with squats 0.05).
    private static let (leastFit, leastRange) = (0.1, 0.25)

    /// The indices of recordings that resemble no recording of correct repetitions but themselves: they show another
    /// exercise. Those without repetitions are not judged.
    package static func odd(among demonstrations: [Demonstration]) -> [Int] {
        let courses = demonstrations.map(\.courses)
        let right = demonstrations.indices.filter { demonstrations[$0].fault == nil && !courses[$0].isEmpty }
        let shown = right.prefix(ShownLimits.courses).map { (index: $0, exercise: ShownLearner([courses[$0]]).shown) }
        return demonstrations.indices.filter { index in
            guard !courses[index].isEmpty else { return false }
            let others = shown.filter { $0.index != index }
            let middle = courses[index][courses[index].count / 2]
            let reviews = others.compactMap { ShownReview(middle, $0.exercise) }
            return !reviews.isEmpty
                && !reviews.contains { $0.fit > leastFit && ($0.range()?.share ?? 1) > leastRange }
        }
    }
}

/// Limits for learning and reading.
enum ShownLimits {
    static let recordings = 200, repetitions = 2000
    /// The most recordings whose courses the file keeps; the spread is based on all.
    static let courses = 12
    /// The least number of measures for a comparison.
    static let measures = 4
    /// The most named faults, and the most weights of each.
    static let faults = 20, weights = 12
}

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
