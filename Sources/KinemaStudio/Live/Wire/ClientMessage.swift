import Foundation

/// What a client says in JSON.
enum ClientMessage: Sendable, Equatable {
    case start(StartRequest)
    case stop
    case drawing(DrawingCommand)

    /// The longest text that is looked at, bytes; the longest that makes sense has a few hundred.
    private static let limit = 16_384

    private struct Head: Decodable {
        var type: String
        var value: String?
    }

    /// Reads a message; throws a problem that says what is wrong with it.
    init(_ text: String) throws(LiveProblem) {
        guard text.utf8.count <= Self.limit else {
            throw LiveProblem(.badMessage, "this message is longer than \(Self.limit) bytes; frames are sent as binary")
        }
        let bytes = Data(text.utf8)
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: bytes) else {
            throw LiveProblem(.badMessage, "a message is a JSON object with a type")
        }
        switch head.type {
        case "start":
            guard let request = try? decoder.decode(StartRequest.self, from: bytes) else {
                throw LiveProblem(.badMessage, "start needs a mode and a source, as the documentation lists them")
            }
            self = .start(request)
        case "stop": self = .stop
        case "undo": self = .drawing(.undo)
        case "clear": self = .drawing(.clear)
        case "colour":
            guard let value = head.value, let colour = DrawingColour(value) else {
                throw LiveProblem(.badMessage, "colour needs a value such as \"#0072b2\"")
            }
            self = .drawing(.colour(colour))
        default: throw LiveProblem(.badMessage, "there is no message of that type")
        }
    }
}

/// What a client does to its drawing.
enum DrawingCommand: Sendable, Equatable {
    case undo, clear
    case colour(DrawingColour)
}

/// A colour of lines: "#rrggbb" and nothing else, since it comes to stand in an SVG.
struct DrawingColour: Sendable, Hashable {
    let hex: String

    /// Dark enough for white ground, and told apart from the other hand's by colour-blind readers.
    static let usual = DrawingColour(number: 0x0072B2)

    /// Reads "#rrggbb"; nil for all else.
    init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(number: number)
    }

    private init(number: UInt32) {
        let digits = String(number, radix: 16)
        hex = "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Red, green and blue in three bytes.
    var number: UInt32 { UInt32(hex.dropFirst(), radix: 16) ?? 0 }
}
