/// Checks that a text is an SVG document as Kinema writes drawings: paths in a group, in the plainest spelling. Nothing
/// else is accepted, so that a drawing can refer to, repeat, style and run nothing.
struct DrawingCheck {
    private var rest: ArraySlice<UInt8>

    /// Nested elements; Cairo's documents have three.
    private static let depth = 4
    private static let spaces = Set(" \n\r\t".utf8)
    private static let marks = Set(" \n#%,.+-".utf8)
    private static let names: Set<String> = [
        "id", "version", "width", "height", "viewBox", "d", "fill", "fill-opacity", "fill-rule", "stroke",
        "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width",
    ]

    static func accepts(_ text: String) -> Bool {
        var check = DrawingCheck(rest: Array(text.utf8)[...])
        return check.takeDocument()
    }

    private mutating func takeDocument() -> Bool {
        _ = take(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        var open: [String] = []
        repeat {
            takeSpaces()
            if let name = open.last, take("</\(name)>") {
                open.removeLast()
                continue
            }
            guard open.count < Self.depth, let name = takeName(in: open.isEmpty ? ["svg"] : ["g", "path"]),
                takeAttributes()
            else { return false }
            if take("/>") { continue }
            guard take(">") else { return false }
            open.append(name)
        } while !open.isEmpty
        takeSpaces()
        return rest.isEmpty
    }

    private mutating func takeName(in names: [String]) -> String? {
        for name in names where take("<" + name) { return name }
        return nil
    }

    /// The attributes up to the end of the tag, each after a space and in double quotes.
    private mutating func takeAttributes() -> Bool {
        let (slash, end) = (UInt8(ascii: "/"), UInt8(ascii: ">"))
        var seen = Set<String>()
        while rest.first != slash, rest.first != end {
            guard takeSpaces() else { return false }
            if rest.first == slash || rest.first == end { break }
            let name = String(decoding: take(to: UInt8(ascii: "=")), as: UTF8.self)
            guard seen.insert(name).inserted, take("=\"") else { return false }
            let value = take(to: UInt8(ascii: "\""))
            guard take("\""), Self.isAllowed(value, of: name) else { return false }
        }
        return true
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

    /// Words, numbers and colours, without quotes, escapes, or functions other than `rgb`.
    private static func isPlain(_ value: ArraySlice<UInt8>) -> Bool {
        let isColor = value.starts(with: "rgb(".utf8) && value.last == UInt8(ascii: ")")
        return (isColor ? value.dropFirst(4).dropLast() : value).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: marks.contains(byte)
            }
        }
    }

    // MARK: Text

    private mutating func take(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private mutating func take(to end: UInt8) -> ArraySlice<UInt8> {
        let part = rest.prefix { $0 != end }
        rest = rest.dropFirst(part.count)
        return part
    }

    @discardableResult private mutating func takeSpaces() -> Bool {
        let count = rest.prefix { Self.spaces.contains($0) }.count
        rest = rest.dropFirst(count)
        return count > 0
    }
}
