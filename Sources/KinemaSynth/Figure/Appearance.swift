package import KinemaCore
package import KinemaDraw

/// The colours of a person's skin, hair and clothes, and their cut.
package struct Appearance: Sendable {
    package var skin, hair, shirt, trousers, shoes: Color
    package var hasShorts, hasLongSleeves, hasLongHair: Bool

    /// The person in the built-in demonstration.
    package static let trainer = Appearance(
        skin: Color(hex: 0xD9A27E), hair: Color(hex: 0x3A2A20), shirt: Color(hex: 0x2F7FB5),
        trousers: Color(hex: 0x2B2F3A), shoes: Color(hex: 0xC9482F), hasShorts: true, hasLongSleeves: false,
        hasLongHair: false)

    private static let skins: [UInt32] = [0xF0C8A8, 0xE3B08C, 0xD9A27E, 0xB67B55, 0x8D5A3C, 0x6B4230]
    private static let hairs: [UInt32] = [0x1E1713, 0x3A2A20, 0x6B4A2C, 0xB08850, 0x7A3320, 0x8C8C8C]
    private static let shirts: [UInt32] = [
        0x2F7FB5, 0xC23B3B, 0xE8E8E8, 0x2E8B57, 0xE0A030, 0x6A4C93, 0x30343C, 0xE57EA0, 0x40B0A8,
    ]
    private static let trouserColors: [UInt32] = [0x2B2F3A, 0x3B4F78, 0x6B6F76, 0x4A3B2A, 0x1F4038, 0x8A2C3A, 0xB8AE98]
    private static let shoeColors: [UInt32] = [0xE8E4DC, 0x222222, 0xC23B3B, 0x3B6FC2, 0xE0C030]

    /// Makes a random appearance; the shirt and the trousers always differ.
    package static func random(using random: inout RandomSource) -> Appearance {
        func color(_ choices: [UInt32]) -> Color { Color(hex: random.pick(choices)) }
        return Appearance(
            skin: color(skins), hair: color(hairs), shirt: color(shirts), trousers: color(trouserColors),
            shoes: color(shoeColors), hasShorts: random.chance(0.5), hasLongSleeves: random.chance(0.3),
            hasLongHair: random.chance(0.4))
    }
}
