/// A colour with alpha, each channel 0...1 and not premultiplied.
package struct Color: Hashable, Sendable {
    /// Red, 0...1.
    package var red: Double
    /// Green, 0...1.
    package var green: Double
    /// Blue, 0...1.
    package var blue: Double
    /// Opacity, 0...1.
    package var alpha: Double

    /// Makes a colour from channels 0...1.
    package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Makes an opaque colour from a number such as 0xFF8800.
    package init(hex: UInt32) {
        self.init(
            red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255, blue: Double(hex & 0xFF) / 255)
    }

    /// The same colour with its opacity multiplied by a factor of 0...1.
    package func faded(to factor: Double) -> Color {
        Color(red: red, green: green, blue: blue, alpha: alpha * factor)
    }

    /// White.
    package static let white = Color(hex: 0xFFFFFF)
    /// Black.
    package static let black = Color(hex: 0x000000)
}

extension Color {
    /// One colour a person: bright enough to stand on a dark outline, told apart by colour-blind readers.
    ///
    /// /// After Okabe and Ito, "Color Universal Design" (2008), with the dark ones brightened and vermilion left for
    /// faults.
    package static let people = [
        Color(hex: 0x56B4E9), Color(hex: 0xFFA81E), Color(hex: 0x1FD6A0), Color(hex: 0xF0E442), Color(hex: 0xF08CC8),
        Color(hex: 0xFFFFFF), Color(hex: 0x8C9BFF), Color(hex: 0xB9E35A),
    ]

    /// The colour of joints that break a rule: red, the vermilion of the same palette made stronger.
    package static let fault = Color(hex: 0xFF2A1A)

    /// The dark line around everything drawn on a picture, so it also shows on bright ground.
    package static let outline = Color(red: 0.05, green: 0.05, blue: 0.07, alpha: 0.8)

    /// The colour of a person, the same for the same number.
    package static func person(_ id: Int) -> Color {
        // Not `%`: ids may be negative.
        people[((id % people.count) + people.count) % people.count]
    }
}
