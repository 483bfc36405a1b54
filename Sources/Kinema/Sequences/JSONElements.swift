import Foundation

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
