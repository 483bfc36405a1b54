/// A Gaussian pyramid of a picture's brightness.
struct PicturePyramid: Sendable {
    /// One level, top row first; pixel centres have integer coordinates.
    struct Level: Sendable {
        let width: Int
        let height: Int
        let pixels: [Float]
    }

    /// The levels, largest first; each keeps every second pixel of the one before.
    let levels: [Level]

    /// Halves the picture until its longer side is at most `smallest` pixels or its shorter side less than 32.
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

// SAFETY: rows and columns outside the picture are clamped to its edge before they are read. The row of sums is as wide
// as the picture plus two elements on each side. Every pixel of the output is written once.

extension PicturePyramid {
    /// Every `step`th pixel of the picture, smoothed by 1 4 6 4 1 in both directions (Burt and Adelson 1983).
    static func smoothed(_ level: Level, step: Int) -> Level {
        let (columns, rows) = ((level.width + step - 1) / step, (level.height + step - 1) / step)
        let pixels = [Float](unsafeUninitializedCapacity: columns * rows) { output, count in
            level.pixels.withUnsafeBufferPointer { input in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: level.width + 4) { scratch in
                    guard let output = output.baseAddress, let input = input.baseAddress,
                        let sums = scratch.baseAddress
                    else { return }
                    for row in 0..<rows {
                        sum(level, input, around: row * step, into: sums + 2)
                        // Repeats the edge on both sides.
                        (sums[0], sums[1]) = (sums[2], sums[2])
                        (sums[level.width + 2], sums[level.width + 3]) = (sums[level.width + 1], sums[level.width + 1])
                        let line = output + row * columns
                        // Constants, so that each loop is vectorised.
                        if step == 1 {
                            smooth(sums, columns, step: 1, into: line)
                        } else {
                            smooth(sums, columns, step: 2, into: line)
                        }
                    }
                }
            }
            count = columns * rows
        }
        return Level(width: columns, height: rows, pixels: pixels)
    }

    private static func sum(
        _ level: Level, _ input: UnsafePointer<Float>, around row: Int, into sums: UnsafeMutablePointer<Float>
    ) {
        func line(_ offset: Int) -> UnsafePointer<Float> {
            input + min(max(row + offset, 0), level.height - 1) * level.width
        }
        let (a, b, c, d, e) = (line(-2), line(-1), line(0), line(1), line(2))
        for x in 0..<level.width {
            let near: Float = b[x] + d[x]
            sums[x] = (a[x] + e[x] + 4 * near + 6 * c[x]) * (1.0 / 256)
        }
    }

    @inline(__always)
    private static func smooth(
        _ sums: UnsafePointer<Float>, _ count: Int, step: Int, into line: UnsafeMutablePointer<Float>
    ) {
        for x in 0..<count {
            let window = sums + step &* x
            let near: Float = window[1] + window[3]
            line[x] = window[0] + window[4] + 4 * near + 6 * window[2]
        }
    }
}
