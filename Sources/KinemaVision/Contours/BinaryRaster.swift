/// A picture of two values with a margin of one pixel of background all around.
struct BinaryRaster: Sendable, Equatable {
    /// Columns, the margin not counted.
    let width: Int
    /// Rows, the margin not counted.
    let height: Int
    /// 1 for the foreground, else 0: `height + 2` rows of `width + 2`, top row first.
    let pixels: [UInt8]

    /// From one row to the next.
    var stride: Int { width + 2 }

    /// The pixels of a grey picture that are darker, or those that are lighter.
    init(_ picture: GrayPicture, isForeground: BrightnessSplit) {
        (width, height) = (picture.width, picture.height)
        var pixels = [UInt8](repeating: 0, count: (width + 2) * (height + 2))
        // Light is from the split on; `side` is what turns light into foreground.
        let side: UInt8 = isForeground.takesDark ? 1 : 0
        if let firstLight = isForeground.firstLight {
            for row in 0..<height {
                let (from, to) = (row * width, (row + 1) * (width + 2) + 1)
                for column in 0..<width {
                    pixels[to + column] = (picture.pixels[from + column] >= firstLight ? 1 : 0) ^ side
                }
            }
        }
        self.pixels = pixels
    }

    /// A picture drawn as text: `#` is foreground, anything else is not.
    init(_ rows: [String]) {
        let drawn = rows.map { $0.utf8.map { UInt8($0 == UInt8(ascii: "#") ? 1 : 0) } }
        let width = drawn.map(\.count).max() ?? 0
        self.init(width: width, height: rows.count) { x, y in x < drawn[y].count && drawn[y][x] == 1 }
    }

    /// A picture given by a rule for each column and row.
    init(width: Int, height: Int, isForeground: (_ x: Int, _ y: Int) -> Bool) {
        self.width = width
        self.height = height
        var pixels = [UInt8](repeating: 0, count: (width + 2) * (height + 2))
        for y in 0..<height {
            for x in 0..<width where isForeground(x, y) {
                pixels[(y + 1) * (width + 2) + x + 1] = 1
            }
        }
        self.pixels = pixels
    }

    /// Whether a pixel belongs to the foreground.
    subscript(x: Int, y: Int) -> Bool { pixels[(y + 1) * stride + x + 1] == 1 }
}
