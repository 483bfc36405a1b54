import KinemaCore

/// Parses a line of `kinema pose` in about a tenth of the time that a general decoder takes.
///
/// It knows only what such lines consist of; what is written in another way, though it may be valid JSON, is left to the
/// decoder.
struct PoseLineScanner {
    /// The text is not what Kinema writes.
    private struct Unusual: Error {}

    private let bytes: [UInt8]
    private var index = 0

    /// Digits that a floating point number holds exactly.
    private static let exactDigits = 15
    private static let powers = (0...exactDigits).map { place in (0..<place).reduce(1.0) { power, _ in power * 10 } }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The line; nil if it is not what Kinema writes.
    static func line(_ bytes: [UInt8]) -> PoseLine? {
        var scanner = PoseLineScanner(bytes)
        guard let line = try? scanner.line(), scanner.next == nil else { return nil }
        return line
    }

    private mutating func line() throws -> PoseLine {
        var (time, people, width, height) = (Double?.none, [PoseLine.Figure]?.none, Int?.none, Int?.none)
        var hands: [PoseLine.Figure]?
        try object { scanner, key in
            switch key {
            case "time": time = try scanner.number()
            case "width": width = try scanner.integer()
            case "height": height = try scanner.integer()
            case "people": people = try scanner.figures()
            case "hands": hands = try scanner.figures()
            default: try scanner.skip()
            }
        }
        guard let time, let people else { throw Unusual() }
        return PoseLine(time: time, width: width, height: height, people: people, hands: hands)
    }

    private mutating func figures() throws -> [PoseLine.Figure] {
        var figures: [PoseLine.Figure] = []
        try array { scanner in figures.append(try scanner.figure()) }
        return figures
    }

    private mutating func figure() throws -> PoseLine.Figure {
        var figure = PoseLine.Figure(keypoints: [:])
        var hasJoints = false
        try object { scanner, key in
            switch key {
            case "id": figure.id = try scanner.optional { try $0.integer() }
            case "shot": figure.shot = try scanner.optional { try $0.integer() }
            case "chirality":
                figure.chirality = try scanner.optional { scanner in
                    guard let side = HumanHandPoseObservation.Chirality(rawValue: try scanner.string()) else {
                        throw Unusual()
                    }
                    return side
                }
            case "confidence": figure.confidence = try scanner.optional { Float(try $0.number()) }
            case "keypoints": (figure.keypoints, hasJoints) = (try scanner.joints(), true)
            case "keypoints3D": figure.keypoints3D = try scanner.optional { try $0.joints() }
            default: try scanner.skip()
            }
        }
        guard hasJoints else { throw Unusual() }
        return figure
    }

    private mutating func joints() throws -> [String: [Double]] {
        var joints: [String: [Double]] = Dictionary(minimumCapacity: 40)
        try object { scanner, key in
            var values: [Double] = []
            values.reserveCapacity(4)
            try scanner.array { values.append(try $0.number()) }
            guard joints.updateValue(values, forKey: key) == nil else { throw Unusual() }
        }
        return joints
    }

    // MARK: JSON

    /// The next byte that is no space; nil at the end.
    private var next: UInt8? {
        mutating get {
            while index < bytes.count, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t") {
                index += 1
            }
            return index < bytes.count ? bytes[index] : nil
        }
    }

    /// Takes a character if it is the next one.
    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) throws {
        guard takes(character) else { throw Unusual() }
    }

    private mutating func object(_ member: (inout PoseLineScanner, String) throws -> Void) throws {
        try take("{")
        if takes("}") { return }
        repeat {
            let key = try string()
            try take(":")
            try member(&self, key)
        } while takes(",")
        try take("}")
    }

    private mutating func array(_ element: (inout PoseLineScanner) throws -> Void) throws {
        try take("[")
        if takes("]") { return }
        repeat { try element(&self) } while takes(",")
        try take("]")
    }

    /// A text without escapes, in ASCII.
    private mutating func string() throws -> String {
        try take("\"")
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard (0x20..<0x7F).contains(bytes[index]), bytes[index] != UInt8(ascii: "\\") else { throw Unusual() }
            index += 1
        }
        try take("\"")
        return String(decoding: bytes[start..<(index - 1)], as: UTF8.self)
    }

    private mutating func optional<Value>(_ value: (inout PoseLineScanner) throws -> Value) throws -> Value? {
        guard next == UInt8(ascii: "n") else { return try value(&self) }
        guard bytes[index...].starts(with: "null".utf8) else { throw Unusual() }
        index += 4
        return nil
    }

    /// A value that is not needed: a number, a text, null, or a list of such.
    private mutating func skip() throws {
        switch next {
        case UInt8(ascii: "["): try array { _ = try $0.number() }
        case UInt8(ascii: "\""): _ = try string()
        default: _ = try optional { try $0.number() }
        }
    }

    private mutating func integer() throws -> Int {
        guard let value = Int(exactly: try number()) else { throw Unusual() }
        return value
    }

    /// A decimal number of few digits: a quotient of two exact numbers, so it is rounded as a decoder rounds.
    private mutating func number() throws -> Double {
        let isNegative = takes("-")
        var (value, digits, decimals, hasPoint) = (0.0, 0, 0, false)
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "."), !hasPoint, digits > 0 {
                hasPoint = true
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                value = value * 10 + Double(byte - UInt8(ascii: "0"))
                digits += 1
                if hasPoint { decimals += 1 }
            } else {
                guard byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E"), byte != UInt8(ascii: ".") else {
                    throw Unusual()
                }
                break
            }
            index += 1
        }
        let hasLeadingZero = digits > 1 && bytes[start] == UInt8(ascii: "0") && digits - decimals > 1
        guard (1...Self.exactDigits).contains(digits), hasPoint == (decimals > 0), !hasLeadingZero else {
            throw Unusual()
        }
        let number = value / Self.powers[decimals]
        return isNegative ? -number : number
    }
}
