import Foundation
package import KinemaCore

/// A user's addition to a session; it does not change the results.
package enum SessionAnnotation: Sendable, Equatable {
    /// The true repetitions; nil removes a correction.
    case corrections([CorrectedRepetition]?)
    case marks([SessionMark])
    case note(String)
    /// Nil or empty removes them.
    case details(SessionDetails?)

    /// Ten hours with a repetition every four seconds.
    package static let mostRepetitions = 10_000
    package static let mostMarks = 1_000
    package static let noteLength = 500
    /// Characters, also of a classifier's name.
    package static let labelLength = 60
    /// The latest end of a repetition or mark after the last frame, seconds: users stop by hand.
    private static let margin = 1.0
    private static let mostPeople = 1_000_000

    /// The stored form: sorted by time, with a trimmed note. Throws `.invalidArgument` if invalid for a duration in
    /// seconds.
    package func checked(duration: Double) throws(KinemaError) -> SessionAnnotation {
        switch self {
        case .corrections(nil): return self
        case .corrections(let repetitions?):
            guard repetitions.count <= Self.mostRepetitions else {
                throw KinemaError.invalid("a correction can have at most \(Self.mostRepetitions) repetitions")
            }
            for (index, one) in repetitions.enumerated() {
                try Self.check("repetition \(index + 1)", one.start, one.end, one.id, duration)
            }
            return .corrections(repetitions.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) })
        case .marks(let marks):
            guard marks.count <= Self.mostMarks else {
                throw KinemaError.invalid("a session can have at most \(Self.mostMarks) marks")
            }
            for (index, one) in marks.enumerated() {
                try Self.check("mark \(index + 1)", one.start, one.end, one.id ?? 0, duration)
                guard Self.isLabel(one.label) else {
                    throw KinemaError.invalid(
                        "mark \(index + 1) needs a label of 1 to \(Self.labelLength) printable characters")
                }
            }
            return .marks(marks.sorted { ($0.start, $0.end, $0.label) < ($1.start, $1.end, $1.label) })
        case .note(let text):
            let text = text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
            // Eight bytes a character suffice for every script, but not for a thousand combining marks.
            guard text.count <= Self.noteLength, text.utf8.count <= 8 * Self.noteLength else {
                throw KinemaError.invalid("a note can have at most \(Self.noteLength) characters")
            }
            guard !text.unicodeScalars.contains(where: { $0 != "\n" && $0 != "\t" && PlainText.isHidden($0) }) else {
                throw KinemaError.invalid("a note cannot contain control characters")
            }
            return .note(text)
        case .details(let details):
            let details = try details?.checked()
            return .details(details?.isEmpty == true ? nil : details)
        }
    }

    /// Whether a text is a valid label or name: short, on one line, without hidden characters and surrounding blanks.
    package static func isLabel(_ text: String) -> Bool {
        (1...labelLength).contains(text.count) && text.utf8.count <= 4 * labelLength
            && !text.unicodeScalars.contains(where: PlainText.isHidden)
            && text == text.trimmingCharacters(in: .whitespaces)
    }

    private static func check(
        _ what: String, _ start: Double, _ end: Double, _ person: Int, _ duration: Double
    ) throws(KinemaError) {
        guard start.isFinite, end.isFinite, 0 <= start, start < end, end <= duration + margin else {
            throw KinemaError.invalid("\(what) needs times with 0 ≤ start < end ≤ \(duration + margin) seconds")
        }
        guard (0...mostPeople).contains(person) else { throw .invalid("\(what) has an invalid person number") }
    }
}

extension StoredSession {
    var annotations: [SessionAnnotation] { [.corrections(corrections), .marks(marks), .note(note), .details(details)] }

    mutating func set(_ annotation: SessionAnnotation) {
        switch annotation {
        case .corrections(let repetitions): corrections = repetitions
        case .marks(let marks): self.marks = marks
        case .note(let text): note = text
        case .details(let details): self.details = details
        }
    }
}

/// A repetition as a reviewer corrected it; times are seconds from the session's first frame.
package struct CorrectedRepetition: Sendable, Equatable, Codable {
    package var id: Int
    package var start: Double, end: Double
}

/// Checks that a text is an SVG document as Kinema writes drawings: paths in a group, in the plainest spelling. Nothing
/// else is accepted, so that a drawing can refer to, repeat, style and run nothing.
enum DrawingCheck {
    /// Nested elements; Cairo's documents have three.
    private static let depth = 4
    private static let spaces = Set(" \n\r\t".utf8)
    /// Words, numbers and colours, without quotes and escapes.
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 \n#%,.+-".utf8)
    private static let names: Set<String> = [
        "id", "version", "width", "height", "viewBox", "d", "fill", "fill-opacity", "fill-rule", "stroke",
        "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width",
    ]

    static func accepts(_ text: String) -> Bool {
        let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#.utf8
        let bytes = Array(text.utf8)
        var rest = bytes.dropFirst(bytes.starts(with: declaration) ? declaration.count : 0)
        var open: [String] = []
        repeat {
            guard let before = take(to: "<", from: &rest), before.allSatisfy(spaces.contains),
                let tag = take(to: ">", from: &rest)
            else { return false }
            if let name = open.last, tag.elementsEqual("/\(name)".utf8) {
                open.removeLast()
                continue
            }
            let isEmpty = tag.last == UInt8(ascii: "/")
            guard open.count < depth, let name = element(isEmpty ? tag.dropLast() : tag),
                open.isEmpty ? name == "svg" : ["g", "path"].contains(name)
            else { return false }
            if !isEmpty { open.append(name) }
        } while !open.isEmpty
        return rest.allSatisfy(spaces.contains)
    }

    /// The name of an element with allowed attributes, each after a space, once, and in double quotes.
    private static func element(_ tag: ArraySlice<UInt8>) -> String? {
        let element = tag.prefix { !spaces.contains($0) }
        var rest = tag.dropFirst(element.count)
        var seen = Set<String>()
        while let before = take(to: "\"", from: &rest) {
            let attribute = before.drop { spaces.contains($0) }
            let name = String(decoding: attribute.dropLast(), as: UTF8.self)
            guard attribute.count < before.count, attribute.last == UInt8(ascii: "="), seen.insert(name).inserted,
                let value = take(to: "\"", from: &rest), isAllowed(value, of: name)
            else { return nil }
        }
        return rest.allSatisfy(spaces.contains) ? String(decoding: element, as: UTF8.self) : nil
    }

    private static func isAllowed(_ value: ArraySlice<UInt8>, of name: String) -> Bool {
        switch name {
        case "xmlns": value.elementsEqual("http://www.w3.org/2000/svg".utf8)
        case "xmlns:xlink": value.elementsEqual("http://www.w3.org/1999/xlink".utf8)
        // Older versions of Cairo write what is now an attribute of its own.
        case "style":
            value.split(separator: UInt8(ascii: ";")).allSatisfy { declaration in
                let name = declaration.prefix { $0 != UInt8(ascii: ":") }
                return names.contains(String(decoding: name.drop { spaces.contains($0) }, as: UTF8.self))
                    && isPlain(declaration.dropFirst(name.count + 1))
            }
        default: names.contains(name) && isPlain(value)
        }
    }

    /// Without functions other than `rgb`.
    private static func isPlain(_ value: ArraySlice<UInt8>) -> Bool {
        let isColor = value.starts(with: "rgb(".utf8) && value.last == UInt8(ascii: ")")
        return (isColor ? value.dropFirst(4).dropLast() : value).allSatisfy(plain.contains)
    }

    /// Takes what comes before a character, and that; nil without one.
    private static func take(to end: Unicode.Scalar, from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let place = rest.firstIndex(of: UInt8(ascii: end)) else { return nil }
        defer { rest = rest[(place + 1)...] }
        return rest[..<place]
    }
}
