/// A client's command to its drawing.
enum DrawingCommand: Sendable, Equatable {
    case undo, clear
    case colour(DrawingColour)
}

/// A colour of lines: "#rrggbb" and nothing else, since it comes to stand in an SVG.
struct DrawingColour: Sendable, Hashable {
    let hex: String

    /// Dark enough for white ground, and distinct from the other hand's for colour-blind readers.
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
