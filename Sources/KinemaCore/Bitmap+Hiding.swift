extension Bitmap {
    /// The squares across a hidden head: too few for eyes and a mouth, so that no detector finds a face.
    private static let squaresAcross = 3.0
    /// How much of a square's difference from the head's mean colour is left.
    private static let contrast = 0.15
    /// Up to this probability of a person a pixel is hidden with the background, of 255.
    private static let mostOfBackground: UInt8 = 127
    /// What silhouettes and a hidden background are painted with.
    private static let silhouette: UInt8 = 150, background: UInt8 = 40

    /// Hides parts of the picture; the mask has the picture's size.
    package mutating func hide(_ parts: HiddenParts) {
        if let mask = parts.mask {
            precondition(mask.width == width && mask.height == height, "a mask has the size of its picture")
            let (hidesPeople, paint) = parts.hiding == .people ? (true, Self.silhouette) : (false, Self.background)
            for (index, value) in mask.values.enumerated()
            where hidesPeople ? value >= HiddenParts.leastOfPerson : value <= Self.mostOfBackground {
                for channel in 0..<3 { pixels[4 * index + channel] = paint }
            }
        }
        // Somebody whose silhouette was missed still has a face.
        if parts.hiding != .background { for head in parts.heads { pixelate(head) } }
    }

    /// Pixelates a circle: replaces it with squares of their mean colours.
    private mutating func pixelate(_ head: HiddenParts.Head) {
        let side = max(2, (2 * head.radius / Self.squaresAcross).rounded(.up))
        let (left, top) = (head.center.x - head.radius, head.center.y - head.radius)
        let count = Int((2 * head.radius / side).rounded(.up))
        let whole = mean(clamped(left, 2 * head.radius, width), clamped(top, 2 * head.radius, height))
        for row in 0..<count {
            for column in 0..<count {
                let (x, y) = (left + Double(column) * side, top + Double(row) * side)
                // A square belongs to the circle if any part of it does.
                let corner = SIMD2(min(max(head.center.x, x), x + side), min(max(head.center.y, y), y + side))
                let near = corner - head.center
                guard (near * near).sum() < head.radius * head.radius else { continue }
                let (columns, rows) = (clamped(x, side, width), clamped(y, side, height))
                let color = whole + (mean(columns, rows) - whole) * Self.contrast
                for row in rows {
                    for column in columns {
                        for channel in 0..<3 { pixels[4 * (row * width + column) + channel] = UInt8(color[channel]) }
                    }
                }
            }
        }
    }

    private func clamped(_ from: Double, _ side: Double, _ limit: Int) -> Range<Int> {
        let low = Int(min(max(from.rounded(.down), 0), Double(limit)))
        return low..<max(low, Int(min(max((from + side).rounded(.up), 0), Double(limit))))
    }

    /// The mean of blue, green and red.
    private func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> SIMD3<Double> {
        var sum = SIMD3<Int>()
        for row in rows {
            for column in columns {
                let first = 4 * (row * width + column)
                sum &+= SIMD3(Int(pixels[first]), Int(pixels[first + 1]), Int(pixels[first + 2]))
            }
        }
        return SIMD3<Double>(sum) / Double(max(1, columns.count * rows.count))
    }
}
