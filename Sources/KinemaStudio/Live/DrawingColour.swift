import Foundation

/// A line colour, only "#rrggbb" since it is written into an SVG.
struct DrawingColour: Sendable, Hashable {
    let number: UInt32

    /// Dark enough on white, and distinct from the other hand's for colour-blind people.
    static let usual = DrawingColour(number: 0x0072B2)

    var hex: String { String(format: "#%06x", number) }
}

extension DrawingColour {
    init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(number: number)
    }
}
