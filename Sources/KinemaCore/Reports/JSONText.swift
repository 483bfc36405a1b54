package import Foundation

/// Writes JSON in the given order with a limited number of decimals, much faster than a general encoder.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// A number with at most `decimals` decimals; null when it is not finite.
    package mutating func number(_ value: Double, decimals: Int = 5) {
        separate()
        let decimals = min(max(decimals, 0), 9)
        let scale = Self.powers[decimals]
        // Beyond this the digits do not fit a 64-bit integer.
        guard value.isFinite, abs(value) * Double(scale) < 9e18 else { return append("null") }
        var remaining = Int((abs(value) * Double(scale)).rounded())
        if value < 0, remaining != 0 { bytes.append(UInt8(ascii: "-")) }
        var fraction = decimals
        while fraction > 0, remaining % 10 == 0 {
            remaining /= 10
            fraction -= 1
        }
        let unit = Self.powers[fraction]
        append(String(remaining / unit))
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var digit = unit / 10
        while digit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(remaining / digit % 10))
            digit /= 10
        }
    }

    package mutating func integer(_ value: Int) {
        separate()
        append(String(value))
    }

    package mutating func string(_ value: String) {
        separate()
        quote(value)
    }

    package mutating func boolean(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    /// JSON from elsewhere, unchanged.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    package mutating func null() {
        separate()
        append("null")
    }

    package mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func object(_ body: (inout JSONText) throws -> Void) rethrows {
        try nested("{", "}", body)
    }

    package mutating func array(_ body: (inout JSONText) throws -> Void) rethrows {
        try nested("[", "]", body)
    }

    /// An array of numbers with at most `decimals` decimals.
    package mutating func numbers(_ values: [Double], decimals: Int = 5) {
        array { list in values.forEach { list.number($0, decimals: decimals) } }
    }

    package mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private static let powers = (0..<10).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    private mutating func nested(_ open: String, _ close: String, _ body: (inout JSONText) throws -> Void) rethrows {
        separate()
        append(open)
        needsComma = false
        try body(&self)
        append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: { $0 > 126 }) {
            text.unicodeScalars.forEach { quote($0) }
        } else {
            text.utf8.forEach { quote($0) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func quote(_ scalar: Unicode.Scalar) {
        if scalar.isASCII, scalar.value < 127 {
            quote(UInt8(scalar.value))
        } else if PlainText.isHidden(scalar) {
            escape(scalar)
        } else {
            bytes.append(contentsOf: String(scalar).utf8)
        }
    }

    private mutating func quote(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case 0..<32: escape(Unicode.Scalar(byte))
        default: bytes.append(byte)
        }
    }

    /// Four hexadecimal digits; no hidden character needs more.
    private mutating func escape(_ scalar: Unicode.Scalar) {
        let digits = String(scalar.value, radix: 16)
        append("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
    }

    /// JSON from another encoder, with the characters escaped that act on a terminal.
    package static func visible(_ json: some Sequence<UInt8>) -> [UInt8] {
        var text = JSONText()
        for scalar in String(decoding: Array(json), as: UTF8.self).unicodeScalars {
            // ASCII line breaks and tabs can only be layout.
            if scalar.value > 126 && PlainText.isHidden(scalar) {
                text.escape(scalar)
            } else {
                text.bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        return text.bytes
    }
}

extension JSONText {
    package mutating func field(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    package mutating func field(_ name: String, _ value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    package mutating func field(_ name: String, _ value: Double?, decimals: Int = 5) {
        key(name)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    package mutating func field(_ name: String, _ value: Bool) {
        key(name)
        boolean(value)
    }

    package mutating func field(_ name: String, strings values: [String]) {
        array(name) { list in values.forEach { list.string($0) } }
    }

    package mutating func field(_ name: String, numbers values: [Double], decimals: Int = 5) {
        key(name)
        numbers(values, decimals: decimals)
    }

    /// JSON from elsewhere, unchanged.
    package mutating func field(_ name: String, raw json: some Sequence<UInt8>) {
        key(name)
        raw(json)
    }

    package mutating func object(_ name: String, _ body: (inout JSONText) throws -> Void) rethrows {
        key(name)
        try object(body)
    }

    package mutating func objects<Items: Sequence>(
        _ name: String, _ items: Items, _ body: (inout JSONText, Items.Element) throws -> Void
    ) rethrows {
        try array(name) { list in for item in items { try list.object { try body(&$0, item) } } }
    }

    package mutating func array(_ name: String, _ body: (inout JSONText) throws -> Void) rethrows {
        key(name)
        try array(body)
    }
}

extension JSONEncoder {
    /// The encoder of everything that is written or sent: sorted keys, so the same values give the same bytes in every run.
    package static var ordered: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
