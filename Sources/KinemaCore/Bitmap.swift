/// An image in memory: blue, green, red, alpha (premultiplied), 8 bits each, top row first, as in Cairo.
public struct Bitmap: Sendable, Equatable {
    /// Columns and rows.
    public let width, height: Int
    /// Blue, green, red, alpha for every pixel; `width * 4` bytes a row, top row first.
    public var pixels: [UInt8]

    package var bytesPerRow: Int { width * 4 }

    /// Creates an opaque image of one colour, black by default.
    public init(width: Int, height: Int, red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0) {
        precondition(width > 0 && height > 0, "a bitmap has at least one pixel")
        (self.width, self.height) = (width, height)
        pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            for index in stride(from: 0, to: width * height * 4, by: 4) {
                buffer[index] = blue
                buffer[index + 1] = green
                buffer[index + 2] = red
                buffer[index + 3] = 255
            }
            count = width * height * 4
        }
    }

    /// Creates an image from its bytes: blue, green, red, alpha, top row first, without padding.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 4, "four bytes a pixel")
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// The pixels within a rectangle inside the image; `x` and `y` count from the top left.
    package func part(x: Int, y: Int, width: Int, height: Int) -> Bitmap {
        var part: [UInt8] = []
        part.reserveCapacity(width * height * 4)
        for row in y..<y + height {
            let start = row * bytesPerRow + x * 4
            part += pixels[start..<start + width * 4]
        }
        return Bitmap(width: width, height: height, pixels: part)
    }

    /// Red, green and blue at a column and row counted from the top left.
    package subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let start = (y * width + x) * 4
        return (pixels[start + 2], pixels[start + 1], pixels[start])
    }
}
