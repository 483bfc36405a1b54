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

/// The elements of the lists in a JSON text, found by their brackets, so that only one at a time is parsed.
///
/// The text is a list, or an object whose members include lists; members that are objects are elements, too.
struct JSONElements {
    struct Invalid: Error {}

    private let bytes: [UInt8]
    private var index = 0
    /// The member whose list is being read; empty for a text that is one list.
    private var member: String?
    private var isObject = false, isStarted = false
    /// Whether the last element was a member itself and not in a list.
    private(set) var isMember = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all brackets and strings in a text are closed.
    static func isWhole(_ text: some Sequence<UInt8>) -> Bool {
        var (depth, isQuoted, isEscaped) = (0, false, false)
        for byte in text {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isQuoted ? 0 : 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isQuoted ? 0 : 1
            default: break
            }
        }
        return depth == 0 && !isQuoted
    }

    /// The next element and the member whose list it is in; nil after the last.
    mutating func next() throws(Invalid) -> (member: String, element: ArraySlice<UInt8>)? {
        if !isStarted { try start() }
        while true {
            skipSpace(and: UInt8(ascii: ","))
            guard index < bytes.count else { throw Invalid() }
            if let name = member {
                if bytes[index] == UInt8(ascii: "]") {
                    (member, index) = (nil, index + 1)
                    if !isObject { return nil }
                    continue
                }
                let start = index
                try skipValue()
                isMember = false
                return (name, bytes[start..<index])
            }
            if bytes[index] == UInt8(ascii: "}") { return nil }
            if let found = try enterMember() { return found }
        }
    }

    private mutating func start() throws(Invalid) {
        isStarted = true
        skipSpace()
        guard index < bytes.count else { throw Invalid() }
        switch bytes[index] {
        case UInt8(ascii: "["): member = ""
        case UInt8(ascii: "{"): isObject = true
        default: throw Invalid()
        }
        index += 1
    }

    /// Reads a member's name and goes into its list, or returns its object; other values are skipped.
    private mutating func enterMember() throws(Invalid) -> (member: String, element: ArraySlice<UInt8>)? {
        let start = index
        guard bytes[index] == UInt8(ascii: "\"") else { throw Invalid() }
        try skipString()
        let name = String(decoding: bytes[(start + 1)..<(index - 1)], as: UTF8.self)
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { throw Invalid() }
        index += 1
        skipSpace()
        guard index < bytes.count else { throw Invalid() }
        if bytes[index] == UInt8(ascii: "[") {
            (member, index) = (name, index + 1)
            return nil
        }
        let first = index
        try skipValue()
        isMember = bytes[first] == UInt8(ascii: "{")
        return isMember ? (name, bytes[first..<index]) : nil
    }

    private mutating func skipSpace(and comma: UInt8 = 32) {
        while index < bytes.count, [32, 9, 10, 13, comma].contains(bytes[index]) { index += 1 }
    }

    private mutating func skipString() throws(Invalid) {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { throw Invalid() }
        index += 1
    }

    private mutating func skipValue() throws(Invalid) {
        var depth = 0
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "["), UInt8(ascii: "{"): (depth, index) = (depth + 1, index + 1)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { break }
                (depth, index) = (depth - 1, index + 1)
            case UInt8(ascii: ",") where depth == 0: break
            default:
                index += 1
                continue
            }
            if depth == 0 {
                guard index > start else { throw Invalid() }
                return
            }
        }
        throw Invalid()
    }
}
