/// An RGBA colour; channels are 0...1 and not premultiplied.
public struct Color: Hashable, Sendable {
    package var red, green, blue, alpha: Double

    /// Creates a colour from channels of 0...1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Creates an opaque colour from a hexadecimal number such as 0xFF8800.
    public init(hex: UInt32) {
        self.init(
            red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255, blue: Double(hex & 0xFF) / 255)
    }

    package func faded(to factor: Double) -> Color {
        Color(red: red, green: green, blue: blue, alpha: alpha * factor)
    }

    /// White and black, opaque.
    public static let white = Color(hex: 0xFFFFFF), black = Color(hex: 0x000000)

    /// The colours of people, safe for colour-blind readers: Okabe and Ito, "Color Universal Design" (2008), with dark
    /// colours brightened and vermilion reserved for faults.
    package static let people = [
        Color(hex: 0x56B4E9), Color(hex: 0xFFA81E), Color(hex: 0x1FD6A0), Color(hex: 0xF0E442), Color(hex: 0xF08CC8),
        Color(hex: 0xFFFFFF), Color(hex: 0x8C9BFF), Color(hex: 0xB9E35A),
    ]

    /// The colour of joints that break a rule: the palette's vermilion, made more saturated.
    package static let fault = Color(hex: 0xFF2A1A)

    /// The dark outline that keeps overlays visible on bright backgrounds.
    package static let outline = Color(red: 0.05, green: 0.05, blue: 0.07, alpha: 0.8)

    package static func person(_ id: Int) -> Color { people.cycled(id) }

    /// A person's colour on white: Okabe and Ito's palette, darkened where the contrast was below 3 to 1.
    package static func chart(_ id: Int) -> Color {
        Color(hex: [0x0072B2, 0xC65A00, 0x00805C, 0xA8568A, 0x3D6FA8, 0x8A6D00, 0x5B4FB0, 0x4F7A1E].cycled(id))
    }
}

extension Array {
    /// The element at an index that may be negative or beyond the end, as in a repeating array.
    fileprivate func cycled(_ index: Int) -> Element { self[((index % count) + count) % count] }
}
