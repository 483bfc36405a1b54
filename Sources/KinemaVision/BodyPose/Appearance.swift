import KinemaCore
import KinemaMedia

/// A person's appearance: the mean colours of torso and legs, which identify people after they have crossed.
struct Appearance: Sendable, Codable {
    /// Luma and two colour differences (levels of 255) of upper torso, lower torso, thighs and shins; nil if hidden.
    private(set) var parts: [SIMD3<Float>?]

    /// The lines along which a part's colours are sampled, between BlazePose point indices.
    private static let lines: [[(Int, Int)]] = [[(11, 12)], [(23, 24)], [(23, 25), (24, 26)], [(25, 27), (26, 28)]]

    /// No colours are sampled at joints below this confidence.
    private static let minimumConfidence: Float = 0.5

    init(parts: [SIMD3<Float>?]) { self.parts = parts }

    init(of body: BodyLandmarks, in frame: VideoFrame) {
        let size = frame.size
        let groups = Self.lines.indices.map {
            Self.samples(of: $0, body).filter { all($0 .>= 0) && all($0 .< size) }
        }
        let colours = RegionSampler.colours(of: frame, at: groups.flatMap { $0 })
        var start = 0
        parts = groups.map { group in
            defer { start += group.count }
            guard group.count >= 4 else { return nil }
            let sum = colours[start..<(start + group.count)].reduce(SIMD3<Float>(), +)
            let rgb = sum / Float(group.count)
            // ITU-R BT.601's weights.
            let luma = 0.299 * rgb.x + 0.587 * rgb.y + 0.114 * rgb.z
            return SIMD3(luma, rgb.z - luma, rgb.x - luma)
        }
    }

    /// The difference of two appearances: 0 is the same, 1 is clearly different; nil without a common visible part.
    ///
    /// In another view the light falls otherwise on some part, so there the usual part counts as much as the mean.
    func difference(from other: Appearance, inAnotherView: Bool = false) -> Float? {
        let differences = zip(parts, other.parts).compactMap { mine, theirs -> Float? in
            guard let mine, let theirs else { return nil }
            // Light changes more than colour, so luma has half the weight.
            let delta = (mine - theirs) * SIMD3(0.5, 1, 1)
            return (delta * delta).sum().squareRoot()
        }
        guard !differences.isEmpty else { return nil }
        let mean = differences.reduce(0, +) / Float(differences.count)
        // Clothes of different colours differ by 40 levels in daylight footage.
        return min(1, (inAnotherView ? (mean + differences.median) / 2 : mean) / 40)
    }

    mutating func blend(with newer: Appearance, share: Float) {
        for index in parts.indices {
            guard let new = newer.parts[index] else { continue }
            parts[index] = parts[index].map { $0 + (new - $0) * share } ?? new
        }
    }

    private static func samples(of part: Int, _ body: BodyLandmarks) -> [SIMD2<Double>] {
        if part < 2 {
            // Two rows across the torso, at 15% and 35% of the distance to its other end.
            guard [11, 12, 23, 24].allSatisfy({ body.confidence($0) >= minimumConfidence }) else { return [] }
            let (left, right) = part == 0 ? (11, 12) : (23, 24)
            let (farLeft, farRight) = part == 0 ? (23, 24) : (11, 12)
            return [0.15, 0.35].flatMap { depth in
                let a = body.points[left] + (body.points[farLeft] - body.points[left]) * depth
                let b = body.points[right] + (body.points[farRight] - body.points[right]) * depth
                return stride(from: 0.2, through: 0.8, by: 0.15).map { a + (b - a) * $0 }
            }
        }
        return lines[part].flatMap { from, to -> [SIMD2<Double>] in
            guard body.confidence(from) >= minimumConfidence, body.confidence(to) >= minimumConfidence else {
                return []
            }
            return stride(from: 0.25, through: 0.85, by: 0.1).map {
                body.points[from] + (body.points[to] - body.points[from]) * $0
            }
        }
    }

}
