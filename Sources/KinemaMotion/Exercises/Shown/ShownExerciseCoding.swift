import Foundation

/// Shown exercises as JSON (Documentation/teaching.md). Wrong lengths, numbers beyond any body and newer versions throw
/// with the path of the key.
extension ShownExercise: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case version, recordings, repetitions, mirror, angle, tempo, dose, measures, faults, skeleton
    }

    private struct Tempo: Codable {
        enum CodingKeys: String, CodingKey, CaseIterable { case out, pause, back }
        let parts: [Part]

        init(_ parts: [Part]) { self.parts = parts }

        init(from decoder: any Decoder) throws {
            let values = try decoder.object(CodingKeys.self)
            parts = try CodingKeys.allCases.map { key in
                let pair = try values.numbers(key, count: 2, in: 0...ExerciseLimits.durations.upperBound)
                return Part(mean: pair[0], spread: max(0.02, pair[1]))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            for (key, part) in zip(CodingKeys.allCases, parts) {
                try values.encode([part.mean, part.spread].map { $0.rounded(3) }, forKey: key)
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        // The version first: a newer one may have keys that are unknown here.
        let plain = try decoder.container(keyedBy: CodingKeys.self)
        let version = try plain.whole(.version, in: 1...1_000_000)
        guard version <= Self.version else {
            throw plain.refusal(
                .version, "\(version) is newer than this Kinema, which reads \(Self.version); update it")
        }
        let values = try decoder.object(CodingKeys.self)
        recordings = try values.whole(.recordings, in: 1...ShownLimits.recordings)
        repetitions = try values.whole(.repetitions, in: 1...ShownLimits.repetitions)
        mirror = try values.decodeIfPresent(Bool.self, forKey: .mirror) ?? true
        let tempo = try values.decode(Tempo.self, forKey: .tempo)
        (out, pause, back) = (tempo.parts[0], tempo.parts[1], tempo.parts[2])
        angle = try values.range(.angle, within: 0...90) ?? 0...90
        dose = try values.decodeIfPresent(Dose.self, forKey: .dose)
        measures = try values.list(.measures, of: Measure.self, atMost: BodyMeasure.allCases.count) ?? []
        guard measures.count >= 4 else { throw values.refusal(.measures, "must have at least 4") }
        guard Set(measures.map(\.measure)).count == measures.count else {
            throw values.refusal(.measures, "has a measure twice")
        }
        faults = try values.list(.faults, of: NamedFault.self, atMost: ShownLimits.faults) ?? []
        skeleton = []
        guard values.contains(.skeleton) else { return }
        let length = 3 * BodyJoints.keys.count
        skeleton = try values.list(.skeleton, of: NumberList.self, atMost: Self.points)?.map(\.values) ?? []
        guard [0, Self.points].contains(skeleton.count), skeleton.allSatisfy({ $0.count == length }) else {
            throw values.refusal(.skeleton, "must have \(Self.points) lists of \(length) numbers")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(recordings, forKey: .recordings)
        try values.encode(repetitions, forKey: .repetitions)
        try values.encode(mirror, forKey: .mirror)
        try values.encode([angle.lowerBound, angle.upperBound].map { $0.rounded(0) }, forKey: .angle)
        try values.encode(Tempo([out, pause, back]), forKey: .tempo)
        try values.encodeIfPresent(dose, forKey: .dose)
        try values.encode(measures, forKey: .measures)
        if !faults.isEmpty { try values.encode(faults, forKey: .faults) }
        try values.encode(skeleton.map { $0.map { $0.rounded(3) } }, forKey: .skeleton)
    }
}

extension ShownExercise.Measure: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable { case measure, views, spread, courses }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        measure = try values.word(.measure, among: BodyMeasure.shown, named: \.name)
        views = try values.views(.views)
        let (bounds, least) = (ExerciseLimits.values, measure.unit == .degrees ? 0.1 : 0.001)
        spread = try values.numbers(.spread, count: ShownExercise.points, in: least...bounds.upperBound)
        courses = try values.list(.courses, of: NumberList.self, atMost: ShownLimits.courses)?.map(\.values) ?? []
        guard !courses.isEmpty, courses.allSatisfy({ $0.count == ShownExercise.points }) else {
            throw values.refusal(
                .courses, "must have 1 to \(ShownLimits.courses) lists of \(ShownExercise.points) numbers")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        let decimals = measure.unit == .degrees ? 1 : 3
        try values.encode(measure, forKey: .measure)
        try values.encode(BodyView.allCases.filter(views.contains), forKey: .views)
        try values.encode(spread.map { $0.rounded(decimals) }, forKey: .spread)
        try values.encode(courses.map { $0.map { $0.rounded(decimals) } }, forKey: .courses)
    }
}

extension ShownExercise.Dose: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case sets, repetitions, range }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        sets = try values.whole(.sets, in: 1...100)
        repetitions = try values.whole(.repetitions, in: 1...1000)
        range = try values.number(.range, in: 0.1...2, orElse: Self.usualRange)
    }
}

extension ShownExercise.NamedFault: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case name, examples, limit, weights }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        name = try values.text(.name)
        examples = try values.whole(.examples, in: 1...ShownLimits.repetitions)
        limit = try values.number(.limit, in: 0.1...10, orElse: 0.5)
        weights = try values.list(.weights, of: Weight.self) ?? []
        guard !weights.isEmpty else { throw values.refusal(.weights, "must have at least one") }
    }
}

extension ShownExercise.NamedFault.Weight: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable { case measure, moment, weight }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        measure = try values.word(.measure, among: BodyMeasure.shown, named: \.name)
        moment = try values.word(.moment, among: ShownExercise.Moment.allCases, named: \.rawValue)
        weight = try values.number(.weight, in: -100...100)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(measure, forKey: .measure)
        try values.encode(moment, forKey: .moment)
        try values.encode(weight.rounded(4), forKey: .weight)
    }
}

/// Numbers of a list in a list: bounded in number and size.
private struct NumberList: Decodable {
    let values: [Double]

    init(from decoder: any Decoder) throws {
        var items = try decoder.unkeyedContainer()
        let most = 3 * BodyJoints.keys.count
        guard items.count ?? 0 <= most else { throw decoder.refusal("has more than \(most) numbers") }
        var values: [Double] = []
        while !items.isAtEnd {
            let value = try items.decode(Double.self)
            guard ExerciseLimits.values.contains(value) else {
                throw decoder.refusal("\(value) is no measure of a body")
            }
            values.append(value)
        }
        self.values = values
    }
}

extension KeyedDecodingContainer {
    fileprivate func whole(_ key: Key, in bounds: ClosedRange<Int>) throws -> Int {
        let value = try number(key, in: Double(bounds.lowerBound)...Double(bounds.upperBound))
        guard value == value.rounded() else { throw refusal(key, "must be a whole number") }
        return Int(value)
    }

    fileprivate func numbers(_ key: Key, count: Int, in bounds: ClosedRange<Double>) throws -> [Double] {
        let values = try decode(NumberList.self, forKey: key).values
        guard values.count == count else { throw refusal(key, "must have \(count) numbers, not \(values.count)") }
        guard values.allSatisfy(bounds.contains) else {
            throw refusal(
                key,
                "has a number that is not between \(bounds.lowerBound.formatted()) and \(bounds.upperBound.formatted())"
            )
        }
        return values
    }
}

extension Double {
    fileprivate func rounded(_ decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        return (self * scale).rounded() / scale
    }
}
