import Foundation

/// A value of another program's JSON, whose keys are tried by their synonyms.
enum JSONValue: Decodable, Sendable {
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
    case nothing

    /// The most elements of a list that are kept: more than the people or the numbers that a frame may have.
    private static let mostElements = 4096
    /// Levels of lists and objects; those below are nothing.
    private static let deepest = 12

    /// Decodes anything; what is no value of these kinds is `nothing`.
    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let number = try? single.decode(Double.self) {
            self = .number(number)
        } else if let text = try? single.decode(String.self) {
            self = .text(text)
        } else if decoder.codingPath.count > Self.deepest {
            self = .nothing
        } else if var elements = try? decoder.unkeyedContainer() {
            var list: [JSONValue] = []
            while !elements.isAtEnd, list.count < Self.mostElements { list.append(try elements.decode(JSONValue.self)) }
            self = .list(list)
        } else {
            self = (try? single.decode([String: JSONValue].self)).map { .object($0) } ?? .nothing
        }
    }

    /// Parses a text; nil if it is not JSON. NaN and Infinity, as Python writes them, are nothing.
    ///
    /// The decoder's JSON5 would read them too, but traps at a number that ends the text.
    init?(_ text: some Collection<UInt8>) {
        let decoder = JSONDecoder()
        if let value = try? decoder.decode(JSONValue.self, from: Data(text)) {
            self = value
            return
        }
        var plain = String(decoding: text, as: UTF8.self)
        guard plain.contains("NaN") || plain.contains("Infinity") else { return nil }
        for word in ["NaN", "-Infinity", "Infinity"] { plain = plain.replacing(word, with: "null") }
        guard let value = try? decoder.decode(JSONValue.self, from: Data(plain.utf8)) else { return nil }
        self = value
    }

    var elements: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The number; NaN for null, nil for anything else.
    var double: Double? {
        switch self {
        case .number(let number): number
        case .nothing: .nan
        default: nil
        }
    }

    var number: Float? { double.map { Float($0) } }

    /// The numbers of a list of nothing else.
    var numbers: [Float]? {
        guard let elements else { return nil }
        let numbers = elements.compactMap(\.number)
        return numbers.count == elements.count ? numbers : nil
    }

    /// A whole number, also as a list of one (AlphaPose, OpenPose); nil for negative ones, which mean none.
    var whole: Int? {
        switch self {
        case .number(let number): Int(exactly: number).flatMap { $0 < 0 ? nil : $0 }
        case .list(let list): list.first?.whole
        default: nil
        }
    }

    /// The first of these members that is there.
    subscript(_ names: [String]) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return names.lazy.compactMap { members[$0] }.first { if case .nothing = $0 { false } else { true } }
    }

    /// The cell of a table; nil for lists and objects.
    var cell: String? {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text): String(text.map { $0 == "," || $0.isNewline || $0 == "\"" ? " " : $0 })
        case .nothing: ""
        case .list, .object: nil
        }
    }
}
