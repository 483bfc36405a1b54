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
