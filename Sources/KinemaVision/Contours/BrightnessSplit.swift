/// Where dark ends and light begins, and which of the two is looked for.
struct BrightnessSplit: Sendable, Equatable {
    /// The lowest brightness (0...255) that counts as light; nil when the picture is all the same.
    let firstLight: UInt8?
    /// Whether the dark pixels are looked for, not the light ones.
    let takesDark: Bool

    /// Contrast is adjusted around a pivot, v' = pivot + contrast (v - pivot), and what then is above one half is light.
    ///
    /// Without a pivot, Otsu's threshold of the picture splits it, whatever the contrast. Contrast 0 leaves a picture
    /// that is all the same.
    init(of picture: GrayPicture, contrast: Float, pivot: Float?, takesDark: Bool) {
        self.takesDark = takesDark
        let contrast = contrast.isFinite ? min(max(contrast, 0), 3) : 1
        guard contrast > 0 else {
            firstLight = nil
            return
        }
        guard let pivot else {
            firstLight = Self.otsu(picture)
            return
        }
        let middle = pivot.isFinite ? min(max(pivot, 0), 1) : 0.5
        firstLight =
            (UInt8.min...UInt8.max).first { middle + contrast * (Float($0) / 255 - middle) > 0.5 }
            // All dark, though a split that nothing is above is a split too.
            ?? (takesDark ? UInt8.max : nil)
    }

    /// The split that leaves the two sides as uniform as can be (Otsu 1979); nil for a picture of one value.
    private static func otsu(_ picture: GrayPicture) -> UInt8? {
        var counts = [Int](repeating: 0, count: 256)
        for value in picture.pixels { counts[Int(value)] += 1 }
        let total = Double(picture.pixels.count)
        let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var (below, sumBelow, best) = (0.0, 0.0, 0.0)
        var splits: [Int] = []
        for value in 0..<255 {
            below += Double(counts[value])
            sumBelow += Double(value * counts[value])
            guard below > 0, below < total else { continue }
            let distance = sumBelow / below - (sum - sumBelow) / (total - below)
            let between = below * (total - below) * distance * distance
            if between > best * (1 + 1e-12) {
                best = between
                splits = [value + 1]
            } else if between >= best * (1 - 1e-12), best > 0 {
                splits.append(value + 1)
            }
        }
        // An empty stretch between two peaks is equally good everywhere; its middle is furthest from both.
        return splits.isEmpty ? nil : UInt8(splits[splits.count / 2])
    }
}
