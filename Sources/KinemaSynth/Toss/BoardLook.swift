import KinemaCore
import KinemaDraw

package enum BoardLook: String, CaseIterable, Sendable {
    /// Painted in one bright colour, in full view from the side: the usual game.
    case painted
    /// Painted in one dark colour.
    case dark
    /// Painted in one strong colour, about as bright as a floor.
    case coloured
    /// Bare planks with their grain.
    case wood
    /// Covered with a checked cloth.
    case cloth
    /// A triangle of another colour that points to the hole.
    case triangle
    /// Half in a shadow.
    case shadow
    /// A corner is hidden by something that stands before it.
    case hidden
    /// In perspective: the camera stands far to one side.
    case slanted

    /// The colours of face and frame for a game; nil for the usual ones.
    func colors(_ random: inout RandomSource) -> (face: Color, frame: Color)? {
        func pick(_ pairs: [(UInt32, UInt32)]) -> (face: Color, frame: Color) {
            let pair = pairs[random.integer(in: 0...pairs.count - 1)]
            return (Color(hex: pair.0), Color(hex: pair.1))
        }
        return switch self {
        case .painted, .triangle, .shadow, .hidden, .slanted: nil
        case .dark: pick([(0x1F2A44, 0x1F2A44), (0x26282B, 0x26282B), (0x1C3B2A, 0xB8935A), (0x4A1620, 0x4A1620)])
        case .coloured: pick([(0xC4242C, 0xC4242C), (0x1F5FC4, 0xF4F1EA), (0x23964A, 0x23964A), (0xE07A1C, 0xE07A1C)])
        case .wood: pick([(0xC9A26B, 0xB8935A), (0xD8B886, 0xD8B886), (0xA87B4A, 0x9C6B3A)])
        case .cloth: pick([(0xC04A48, 0xEDE8DC), (0x3F6FA8, 0xEDE8DC), (0x5A8A58, 0x5A8A58)])
        }
    }

    /// The colour of a place of the face, in metres along and across from its centre.
    func paint(_ face: Color, _ u: Double, _ v: Double) -> Color {
        switch self {
        case .painted, .dark, .coloured, .hidden, .slanted: return face
        case .wood:
            // Planks of 12 cm, each a little brighter or darker, with a grain along them.
            let plank = Int((v + 1) / 0.12)
            let tone = [0.0, 0.07, -0.05, 0.03, -0.08][plank % 5]
            return face.scaled(
                1 + tone + 0.06 * sine(90 * v + 3 * sine(4 * u)) - (fraction((v + 1) / 0.12) < 0.04 ? 0.3 : 0))
        case .cloth:
            let isLight = (Int((u + 2) / 0.06) + Int((v + 2) / 0.06)) % 2 == 0
            return isLight ? face.scaled(1.35) : face
        case .triangle:
            let half = 0.22 * (TossBoard.length / 2 - TossBoard.holeInset - u) / TossBoard.length
            return abs(v) < half ? Color(hex: 0x24508C) : face
        case .shadow: return u + 0.4 * v < -0.05 ? face.scaled(0.5) : face
        }
    }

    private func fraction(_ value: Double) -> Double { value - value.rounded(.down) }
}

extension Color {
    fileprivate func scaled(_ share: Double) -> Color {
        Color(red: min(red * share, 1), green: min(green * share, 1), blue: min(blue * share, 1), alpha: alpha)
    }
}
