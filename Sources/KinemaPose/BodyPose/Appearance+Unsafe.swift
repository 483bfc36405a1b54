import KinemaSampling
import Foundation
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

/// The landmark model's last input as the brightness of 32x32 blocks, which shows whether anything has moved. A block
/// is the mean of 192 values: a pixel's noise matters little, an edge that moves by a pixel does.
struct PersonView: Sendable {
    /// The maximum joint distance between inferences for a person at rest, in body sizes.
    static let calmDistance = 0.02
    /// The longest time for which landmarks are held, in seconds.
    static let patience: TimeInterval = 0.5
    /// The minimum change of a block, in levels of 255; people at rest in compressed video change it by two to five.
    static let leastChange = 6.0
    /// The minimum factor of a block's change over the median change, which is the noise.
    static let noiseFactor = 6.0
    /// The noise above which movement cannot be detected, in levels of 255: the light or the camera has changed.
    static let mostNoise = 2.0

    private static let side = 32
    /// Pixels along a block's side.
    private static let step = BodyLandmarker.input / side
    private static let values = step * step * 3

    let region: Region
    let time: TimeInterval
    /// The sum of each block's values, row by row.
    private let blocks: [UInt16]

    // SAFETY: no more values are read than the precondition has counted; the temporary block is written in full first.
    /// Keeps the part of the picture in the landmark model's input.
    init(_ input: UnsafeMutableBufferPointer<UInt8>, of region: Region, at time: TimeInterval) {
        (self.region, self.time) = (region, time)
        let width = BodyLandmarker.input * 3
        precondition(input.count == width * BodyLandmarker.input, "the landmark model's input is square")
        var blocks: [UInt16] = []
        blocks.reserveCapacity(Self.side * Self.side)
        // Eight values of 255 fit 16 bits, and so do the 192 of a block.
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { columns in
            for row in 0..<Self.side {
                columns.initialize(repeating: 0)
                for line in 0..<Self.step {
                    let start = (row * Self.step + line) * width
                    for column in 0..<width { columns[column] &+= UInt16(input[start &+ column]) }
                }
                for block in stride(from: 0, to: width, by: Self.step * 3) {
                    blocks.append(columns[block..<(block + Self.step * 3)].reduce(0, &+))
                }
            }
        }
        self.blocks = blocks
    }

    func isStill(_ other: PersonView) -> Bool {
        let changes = zip(blocks, other.blocks).map { max($0, $1) - min($0, $1) }.sorted()
        let noise = Double(changes[changes.count / 2]) / Double(Self.values)
        let largest = Double(changes[changes.count - 1]) / Double(Self.values)
        return noise <= Self.mostNoise && largest <= max(Self.leastChange, Self.noiseFactor * noise)
    }

    func isRecent(at time: TimeInterval) -> Bool { (0..<Self.patience).contains(time - self.time) }
}
