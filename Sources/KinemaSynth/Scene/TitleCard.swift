internal import Foundation
internal import KinemaCore
package import KinemaDraw

/// A picture with words before the first view, as edited videos have it.
package struct TitleCard: Sendable {
    /// How long it stands, from the first frame on.
    package var seconds: Double
    /// What stands on it.
    package var lines: [String]
    /// The colour of the ground.
    package var ground: Color
    /// The colour of the words.
    package var ink: Color

    /// A card drawn at random that announces an exercise.
    static func random(naming exercise: String, using random: inout RandomSource) -> TitleCard {
        let pairs: [(UInt32, UInt32)] = [(0x101418, 0xFFFFFF), (0xF4F1EA, 0x202428), (0xC23B3B, 0xFFF2D8)]
        let pair = random.pick(pairs, else: (0x101418, 0xFFFFFF))
        return TitleCard(
            seconds: random.number(in: 0.8...2), lines: ["Workout \(random.integer(in: 1...30))", exercise],
            ground: Color(hex: pair.0), ink: Color(hex: pair.1))
    }

    /// The card as a picture; the ground alone where text cannot be drawn.
    func bitmap(width: Int, height: Int) -> Bitmap {
        var bitmap = Bitmap(
            width: width, height: height, red: UInt8(ground.red * 255), green: UInt8(ground.green * 255),
            blue: UInt8(ground.blue * 255))
        let size = Double(min(width, height)) / 10
        try? bitmap.draw { canvas in
            for (row, line) in lines.enumerated() {
                let y = canvas.height / 2 + (Double(row) - Double(lines.count - 1) / 2) * size * 1.5
                canvas.text(
                    line, at: CGPoint(x: canvas.width / 2, y: y), size: size, color: ink, alignment: .center)
            }
        }
        return bitmap
    }
}
