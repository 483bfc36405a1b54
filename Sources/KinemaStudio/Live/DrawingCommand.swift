enum DrawingCommand: Sendable, Equatable {
    case undo, clear
    case colour(DrawingColour)
}

/// A line colour, only "#rrggbb" since it is written into an SVG.
struct DrawingColour: Sendable, Hashable {
    let hex: String

    /// Dark enough on white, and distinct from the other hand's for colour-blind people.
    static let usual = DrawingColour(number: 0x0072B2)

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

    var number: UInt32 { UInt32(hex.dropFirst(), radix: 16) ?? 0 }
}
