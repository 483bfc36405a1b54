extension Bitmap {
    /// Up to this probability of a person a pixel is hidden with the background, of 255.
    private static let mostOfBackground: UInt8 = 127
    /// What silhouettes and heads, and a hidden background are painted with: plain and of no colour, since detectors find
    /// faces in squares of the colours of a head.
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
        if parts.hiding != .background { for head in parts.heads { cover(head) } }
    }

    /// Covers the square around a circle.
    private mutating func cover(_ head: HiddenParts.Head) {
        let columns = clamped(head.center.x - head.radius, 2 * head.radius, width)
        for row in clamped(head.center.y - head.radius, 2 * head.radius, height) {
            for column in columns {
                for channel in 0..<3 { pixels[4 * (row * width + column) + channel] = Self.silhouette }
            }
        }
    }

    private func clamped(_ from: Double, _ side: Double, _ limit: Int) -> Range<Int> {
        let low = Int(min(max(from.rounded(.down), 0), Double(limit)))
        return low..<max(low, Int(min(max((from + side).rounded(.up), 0), Double(limit))))
    }
}
