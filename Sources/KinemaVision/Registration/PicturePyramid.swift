/// A picture's brightness, smoothed, at full size and at halves of it.
struct PicturePyramid: Sendable {
    /// One size; row by row from the top, pixels' centres at whole numbers.
    struct Level: Sendable {
        let width: Int
        let height: Int
        let pixels: [Float]
    }

    /// The largest first; each is half the one before, centres of its pixels on every second of those.
    let levels: [Level]

    /// Halves the picture until its longer side has at most `smallest` pixels, or its shorter one hardly enough.
    init(_ picture: GrayPicture, smallest: Int) {
        var levels = [
            Self.smoothed(
                Level(width: picture.width, height: picture.height, pixels: picture.pixels.map { Float($0) }), step: 1)
        ]
        while let last = levels.last, max(last.width, last.height) > smallest, min(last.width, last.height) >= 32 {
            levels.append(Self.smoothed(last, step: 2))
        }
        self.levels = levels
    }
}
