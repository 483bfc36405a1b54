import Foundation
import KinemaCore

/// Shown exercises as JSON (Documentation/teaching.md). Wrong lengths, implausible numbers and newer versions throw
/// with the path of the key.
extension ShownExercise: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case version, recordings, repetitions, mirror, angle, tempo, dose, measures, faults, skeleton
    }

    package init(from decoder: any Decoder) throws {
        // The version first: a newer one may have keys that are unknown here.
        let plain = try decoder.container(keyedBy: CodingKeys.self)
        version = try plain.whole(.version, in: 1...1_000_000)
        guard version <= Self.newest else {
            throw plain.refusal(
                .version, "\(version) is newer than this Kinema, which reads \(Self.newest); update it")
        }
        let values = try decoder.object(CodingKeys.self)
        recordings = try values.whole(.recordings, in: 1...ShownLimits.recordings)
        repetitions = try values.whole(.repetitions, in: 1...ShownLimits.repetitions)
        mirror = try values.decodeIfPresent(Bool.self, forKey: .mirror) ?? true
        angle = try values.range(.angle, within: 0...90) ?? 0...90
        tempo = try values.decode(Tempo.self, forKey: .tempo)
        dose = try values.decodeIfPresent(Dose.self, forKey: .dose)
        measures = try values.list(.measures, of: Measure.self, atMost: BodyMeasure.shown.count) ?? []
        guard measures.count >= ShownLimits.measures else {
            throw values.refusal(.measures, "must have at least \(ShownLimits.measures)")
        }
        guard Set(measures.map(\.measure)).count == measures.count else {
            throw values.refusal(.measures, "has a measure twice")
        }
        faults = try values.list(.faults, of: NamedFault.self, atMost: ShownLimits.faults) ?? []
        let length = 3 * BodyJoints.keys.count
        skeleton = try values.courses(.skeleton, atMost: Self.points, length: length)
        guard [0, Self.points].contains(skeleton.count) else {
            throw values.refusal(.skeleton, "must have \(Self.points) lists of \(length) numbers")
        }
    }
}

extension ShownExercise.Tempo: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case whole, out, pause, back }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        func part(_ key: CodingKeys) throws -> ShownExercise.Part {
            try values.decode(ShownExercise.Part.self, forKey: key)
        }
        self.init(whole: try part(.whole), out: try part(.out), pause: try part(.pause), back: try part(.back))
    }
}

extension ShownExercise.Part: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case mean, spread }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        mean = try values.number(.mean, in: 0...ExerciseLimits.durations.upperBound)
        spread = try values.number(.spread, in: 0.01...ExerciseLimits.durations.upperBound)
    }
}

extension ShownExercise.Measure: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case measure, views, spread, courses }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        measure = try values.word(.measure, among: BodyMeasure.shown, named: \.name)
        views = try values.views(.views).sorted { $0.rawValue < $1.rawValue }
        spread = try values.list(.spread, of: Double.self) ?? []
        let (least, most) = (measure.unit == .degrees ? 0.1 : 0.001, ExerciseLimits.values.upperBound)
        guard spread.count == ShownExercise.points, spread.allSatisfy({ (least...most).contains($0) }) else {
            throw values.refusal(.spread, "must be \(ShownExercise.points) numbers between \(least) and \(most)")
        }
        courses = try values.courses(.courses, atMost: ShownLimits.courses, length: ShownExercise.points)
        guard !courses.isEmpty else { throw values.refusal(.courses, "has no course") }
    }
}

extension ShownExercise.Dose: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case sets, repetitions, range, seconds }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        sets = try values.whole(.sets, in: 1...100)
        repetitions = try values.whole(.repetitions, in: 1...1000)
        range = values.contains(.range) ? try values.number(.range, in: 0.1...2) : nil
        seconds = values.contains(.seconds) ? try values.number(.seconds, in: ExerciseLimits.durations) : nil
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

extension ShownExercise.NamedFault.Weight: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case measure, moment, weight }

    init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        measure = try values.word(.measure, among: BodyMeasure.shown, named: \.name)
        moment = try values.word(.moment, among: ShownExercise.Moment.allCases, named: \.rawValue)
        weight = try values.number(.weight, in: -100...100)
    }
}

extension KeyedDecodingContainer {
    fileprivate func whole(_ key: Key, in bounds: ClosedRange<Int>) throws -> Int {
        let value = try number(key, in: Double(bounds.lowerBound)...Double(bounds.upperBound))
        guard value == value.rounded() else { throw refusal(key, "must be a whole number") }
        return Int(value)
    }

    /// Lists of a given length; none if the key is absent.
    fileprivate func courses(_ key: Key, atMost most: Int, length: Int) throws -> [[Double]] {
        let lists = try list(key, of: [Double].self, atMost: most) ?? []
        guard lists.allSatisfy({ $0.count == length && $0.allSatisfy(ExerciseLimits.values.contains) }) else {
            throw refusal(key, "must be at most \(most) lists of \(length) numbers that a body can have")
        }
        return lists
    }
}
