package import Foundation
internal import KinemaCore

/// The JSON of Documentation/studio.md, the same in the command, over HTTP and on the socket; poses are never in it.
extension KeptSession: Codable {
    private enum Key: String, CodingKey {
        case id, date, mode, source, duration, exercise, count, people, repetitions, pinches, segments, drawing
        case hasPoses, exports
        case throwsMade = "throws"
    }

    /// Dates as ISO 8601 in UTC with milliseconds.
    static let dateFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// A date in that form. It cuts off what is less than a millisecond, and a date is stored a hair below or above
    /// one.
    package static func text(_ date: Date) -> String {
        dateFormat.format(date.addingTimeInterval(0.000_1))
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let text = try values.decode(String.self, forKey: .date)
        guard let date = try? Self.dateFormat.parse(text) else {
            throw DecodingError.dataCorruptedError(forKey: .date, in: values, debugDescription: "no ISO 8601: \(text)")
        }
        self.init(
            id: try values.decode(UUID.self, forKey: .id), date: date,
            mode: try values.decode(Mode.self, forKey: .mode), source: try values.decode(String.self, forKey: .source),
            duration: try values.decode(Double.self, forKey: .duration))
        exercise = try values.decodeIfPresent(String.self, forKey: .exercise)
        count = try values.decode(Int.self, forKey: .count)
        people = try values.decode(Int.self, forKey: .people)
        repetitions = try values.decode([Repetition].self, forKey: .repetitions)
        throwsMade = try values.decode([Throw].self, forKey: .throwsMade)
        pinches = try values.decode([Pinch].self, forKey: .pinches)
        segments = try values.decode([Segment].self, forKey: .segments)
        drawing = try values.decodeIfPresent(String.self, forKey: .drawing)
        hasPoses = try values.decode(Bool.self, forKey: .hasPoses)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(Self.text(date), forKey: .date)
        try values.encode(mode, forKey: .mode)
        try values.encode(source, forKey: .source)
        try values.encode(duration, forKey: .duration)
        try values.encodeIfPresent(exercise, forKey: .exercise)
        try values.encode(count, forKey: .count)
        try values.encode(people, forKey: .people)
        try values.encode(repetitions, forKey: .repetitions)
        try values.encode(throwsMade, forKey: .throwsMade)
        try values.encode(pinches, forKey: .pinches)
        try values.encode(segments, forKey: .segments)
        try values.encodeIfPresent(drawing, forKey: .drawing)
        try values.encode(hasPoses, forKey: .hasPoses)
        try values.encode(exports.map(\.rawValue), forKey: .exports)
    }

    /// The JSON in one line, its keys in order of the alphabet.
    package func json() throws -> Data {
        try Self.json(self)
    }

    /// The same of sessions together, or of parts of one: the same session is always the same text, and no name in it
    /// acts on a terminal.
    package static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Data(JSONText.visible(try encoder.encode(value)))
    }
}

extension KeptSession.Fault: Codable {
    private enum Key: CodingKey {
        case code, title, joint, phase, measured, expected
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            code: try values.decode(String.self, forKey: .code), title: try values.decode(String.self, forKey: .title),
            joint: try values.decodeIfPresent(String.self, forKey: .joint),
            phase: try values.decodeIfPresent(String.self, forKey: .phase),
            measured: try values.decodeIfPresent(Double.self, forKey: .measured),
            expected: try values.decodeIfPresent(Double.self, forKey: .expected))
    }

    /// All keys are there; what is not known is null.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(code, forKey: .code)
        try values.encode(title, forKey: .title)
        try values.encode(joint, forKey: .joint)
        try values.encode(phase, forKey: .phase)
        try values.encode(measured, forKey: .measured)
        try values.encode(expected, forKey: .expected)
    }
}

extension KeptSession.Throw: Codable {
    private enum Key: String, CodingKey {
        case type, angle, landing, score, start, end
        case speedMps = "speed_mps"
        case speedMph = "speed_mph"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            type: try values.decode(String.self, forKey: .type),
            speedMps: try values.decodeIfPresent(Double.self, forKey: .speedMps),
            angle: try values.decodeIfPresent(Double.self, forKey: .angle),
            landing: try values.decode(String.self, forKey: .landing),
            score: try values.decode(Int.self, forKey: .score), start: try values.decode(Double.self, forKey: .start),
            end: try values.decode(Double.self, forKey: .end))
    }

    /// All keys are there; what is not known is null.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(type, forKey: .type)
        try values.encode(speedMps, forKey: .speedMps)
        try values.encode(speedMph, forKey: .speedMph)
        try values.encode(angle, forKey: .angle)
        try values.encode(landing, forKey: .landing)
        try values.encode(score, forKey: .score)
        try values.encode(start, forKey: .start)
        try values.encode(end, forKey: .end)
    }
}
