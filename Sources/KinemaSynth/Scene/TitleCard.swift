import Foundation
internal import KinemaCore
internal import KinemaDraw

/// A title card before the first shot, as in edited videos.
struct TitleCard: Sendable {
    let seconds: Double
    let lines: [String]
    let background, ink: Color

    /// Makes a random card that announces an exercise.
    static func random(naming exercise: String, using random: inout RandomSource) -> TitleCard {
        let pairs: [(UInt32, UInt32)] = [(0x101418, 0xFFFFFF), (0xF4F1EA, 0x202428), (0xC23B3B, 0xFFF2D8)]
        let pair = random.pick(pairs)
        return TitleCard(
            seconds: random.number(in: 0.8...2), lines: ["Workout \(random.integer(in: 1...30))", exercise],
            background: Color(hex: pair.0), ink: Color(hex: pair.1))
    }

    /// The card as a picture; only the background if text cannot be drawn.
    func bitmap(width: Int, height: Int) -> Bitmap {
        var bitmap = Bitmap(
            width: width, height: height, red: UInt8(background.red * 255), green: UInt8(background.green * 255),
            blue: UInt8(background.blue * 255))
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
