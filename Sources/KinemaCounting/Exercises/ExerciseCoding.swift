import Foundation
import KinemaCore

/// Exercises as JSON: names in words, ranges as [low, high], and defaults for omitted keys
/// (Documentation/AddingAnExercise.md). Unknown keys and impossible values throw with the path of the key.
extension Exercise: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, title, aliases, views, motion, hold, shown, traits, faults
    }

    private enum HoldKeys: String, CodingKey, CaseIterable { case minimum }

    /// Reads an exercise; throws `DecodingError` for an invalid one.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        if let problem = ExerciseLibrary.problem(ofName: name) { throw values.refusal(.name, problem) }
        title = try values.contains(.title) ? values.text(.title) : name
        aliases = try values.list(.aliases, of: String.self) ?? []
        for alias in aliases { try values.check(alias, .aliases) }
        views = try values.views(.views)
        switch (values.contains(.motion), values.contains(.hold), values.contains(.shown)) {
        case (true, false, false): kind = .repetitions(try values.decode(ExerciseMotion.self, forKey: .motion))
        case (false, true, false):
            let hold = try values.superDecoder(forKey: .hold).object(HoldKeys.self)
            kind = .hold(minimum: try hold.number(.minimum, in: 0.5...3600, orElse: 2))
        case (false, false, true): kind = .shown(try values.decode(ShownExercise.self, forKey: .shown))
        default:
            throw values.refusal(
                nil, "must have either motion (repetitions) or hold (a position), or shown (kinema teach)")
        }
        traits = try values.list(.traits, of: BodyTrait.self) ?? []
        if case .repetitions(let motion) = kind, traits.isEmpty { traits = [motion.usualTrait] }
        faults = try values.list(.faults, of: FaultRule.self) ?? []
        guard shown == nil else {
            if traits.isEmpty, faults.isEmpty { return }
            throw values.refusal(.shown, "has its own traits and faults; delete those beside it")
        }
        guard !traits.isEmpty else { throw values.refusal(.traits, "must have at least one, to define the position") }
    }

    /// Writes the keys that have a value.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(title, forKey: .title)
        try values.encode(aliases, forKey: .aliases)
        try values.encode(BodyView.allCases.filter(views.contains), forKey: .views)
        switch kind {
        case .repetitions(let motion): try values.encode(motion, forKey: .motion)
        case .hold(let minimum):
            var hold = values.nestedContainer(keyedBy: HoldKeys.self, forKey: .hold)
            try hold.encode(minimum, forKey: .minimum)
        case .shown(let shown): return try values.encode(shown, forKey: .shown)
        }
        try values.encode(traits, forKey: .traits)
        try values.encode(faults, forKey: .faults)
    }
}

extension ExerciseMotion: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case measure, guides, isOneSided, startsEitherWay, rest, full, minimumSwing, duration, minimumConfidence, phases
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        measure = try values.word(.measure, among: BodyMeasure.allCases, named: \.name)
        guides = try values.list(.guides, of: Guide.self) ?? []
        isOneSided = try values.decodeIfPresent(Bool.self, forKey: .isOneSided) ?? false
        if isOneSided, measure.sides == nil {
            throw values.refusal(.isOneSided, "\(measure.name) has no sides; \(BodyMeasure.sidedNames) have")
        }
        startsEitherWay = try values.decodeIfPresent(Bool.self, forKey: .startsEitherWay) ?? false
        (rest, full) = try values.way(.rest, .full)
        let way = abs(full - rest)
        minimumSwing = try values.number(.minimumSwing, in: 0...way, orElse: 0.3 * way)
        guard minimumSwing > 0 else { throw values.refusal(.minimumSwing, "must be more than 0") }
        duration = try values.range(.duration, within: ExerciseLimits.durations) ?? 0.25...12
        minimumConfidence = Float(try values.number(.minimumConfidence, in: 0...1, orElse: 0.3))
        phases = try values.decodeIfPresent(PhaseNames.self, forKey: .phases) ?? .downFirst
    }

    /// The trait of a movement for which none are given: that it moves.
    fileprivate var usualTrait: BodyTrait {
        BodyTrait(measure, .range, minimumSwing...(2 * abs(full - rest)), tolerance: minimumSwing / 4)
    }
}

extension ExerciseMotion.Guide: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case measure, rest, full }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        measure = try values.word(.measure, among: BodyMeasure.allCases, named: \.name)
        (rest, full) = try values.way(.rest, .full)
    }
}

/// "downFirst", "upFirst", or an object with the four names.
extension PhaseNames: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable { case rest, away, far, back, beginsEccentric }

    private static let usual = [("downFirst", downFirst), ("upFirst", upFirst)]

    package init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            guard let known = Self.usual.first(where: { $0.0 == word })?.1 else {
                throw decoder.refusal("must be downFirst, upFirst or an object with the names")
            }
            self = known
            return
        }
        let values = try decoder.object(CodingKeys.self)
        (rest, away) = (try values.text(.rest), try values.text(.away))
        (far, back) = (try values.text(.far), try values.text(.back))
        beginsEccentric = try values.decodeIfPresent(Bool.self, forKey: .beginsEccentric) ?? true
    }

    package func encode(to encoder: any Encoder) throws {
        if let word = Self.usual.first(where: { $0.1 == self })?.0 {
            var value = encoder.singleValueContainer()
            return try value.encode(word)
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(rest, forKey: .rest)
        try values.encode(away, forKey: .away)
        try values.encode(far, forKey: .far)
        try values.encode(back, forKey: .back)
        try values.encode(beginsEccentric, forKey: .beginsEccentric)
    }
}

extension BodyMeasure: Encodable {
    /// The measures that exist for each side, for messages.
    fileprivate static var sidedNames: String {
        allCases.filter { $0.sides != nil }.map(\.name).joined(separator: ", ")
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(name)
    }
}

extension BodyTrait: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case measure, statistic, range, tolerance }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        measure = try values.word(.measure, among: BodyMeasure.allCases, named: \.name)
        statistic = try values.statistic(.statistic)
        guard let range = try values.range(.range, within: ExerciseLimits.values) else {
            throw values.refusal(nil, "has no range")
        }
        self.range = range
        tolerance = try values.tolerance(.tolerance, in: measure.unit)
    }
}

extension FaultRule: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case code, joints, phase, measure, statistic, sideDifference, atLeast, atMost, exactly, tolerance, views, plane
    }

    /// The name that stands for a measure in a rule about a repetition's duration.
    private static let durationName = "duration"

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        code = try values.word(.code, among: FaultCode.allCases, named: \.rawValue)
        phase = try values.word(.phase, among: Phase.allCases, named: \.rawValue, orElse: .whole)
        quantity = try Self.quantity(values)
        let bounds = [CodingKeys.atLeast, .atMost, .exactly].filter(values.contains)
        guard let key = bounds.first, bounds.count == 1, let bound = Bound(rawValue: key.rawValue) else {
            throw values.refusal(nil, "must have one of atLeast, atMost and exactly")
        }
        expected = try values.number(key, in: ExerciseLimits.values)
        self.bound = bound
        joints = []
        (tolerance, views, plane) = (0, try values.views(.views), nil)
        if values.contains(.plane) { plane = try values.word(.plane, among: Plane.allCases, named: \.rawValue) }
        tolerance = try values.tolerance(.tolerance, in: unit)
        joints = try values.list(.joints, of: JointKey.self) ?? quantity.joints
        if let unknown = joints.first(where: { !BodySkeleton.joints.contains($0) }) {
            throw values.refusal(.joints, unknown.rawValue, known: BodySkeleton.joints.map(\.rawValue))
        }
    }

    private static func quantity(_ values: KeyedDecodingContainer<CodingKeys>) throws -> Quantity {
        guard values.contains(.measure) != values.contains(.sideDifference) else {
            throw values.refusal(nil, "must have either measure or sideDifference")
        }
        if values.contains(.sideDifference) {
            let sided = BodyMeasure.allCases.filter { $0.sides != nil }
            return .sideDifference(try values.word(.sideDifference, among: sided, named: \.name))
        }
        if try values.text(.measure) == durationName { return .duration }
        return .measure(
            try values.word(.measure, among: BodyMeasure.allCases, named: \.name), try values.statistic(.statistic))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(code, forKey: .code)
        try values.encode(joints, forKey: .joints)
        try values.encode(phase, forKey: .phase)
        switch quantity {
        case .measure(let measure, let statistic):
            try values.encode(measure, forKey: .measure)
            try values.encode(statistic, forKey: .statistic)
        case .sideDifference(let measure): try values.encode(measure, forKey: .sideDifference)
        case .duration: try values.encode(Self.durationName, forKey: .measure)
        }
        if let key = CodingKeys(rawValue: bound.rawValue) { try values.encode(expected, forKey: key) }
        try values.encode(tolerance, forKey: .tolerance)
        try values.encode(BodyView.allCases.filter(views.contains), forKey: .views)
        try values.encodeIfPresent(plane, forKey: .plane)
    }
}

extension FaultRule.Quantity {
    fileprivate var joints: [JointKey] {
        switch self {
        case .measure(let measure, _), .sideDifference(let measure): measure.joints
        case .duration: []
        }
    }
}
