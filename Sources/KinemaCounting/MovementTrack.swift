import Foundation
import KinemaCore

/// A body in one frame.
struct SeenBody: Sendable {
    var time: TimeInterval
    /// Where the joints are, picture heights.
    var row: JointRow
    /// How sure each joint is, 0...1, in the order of `BodyJoints.keys`.
    var confidences: SIMD16<Float>
    /// How far the background moved since the stream began; nil if that is not known.
    var camera: SimilarityTransform?
    /// Whether the view or the person changed just before this frame.
    var isAfterCut: Bool

    /// Joints that are not seen keep their last position.
    init(
        _ joints: BodyJoints, after last: SeenBody?, camera: SimilarityTransform? = nil, isAfterCut: Bool = false,
        at time: TimeInterval
    ) {
        (self.time, self.camera, self.isAfterCut) = (time, camera, isAfterCut)
        var points = joints.points
        var confidences = SIMD16<Float>()
        for joint in points.indices {
            confidences[joint] = joints.confidences[joint]
            if let last, joints.confidences[joint] == 0 { points[joint] = last.row.point(joint) }
        }
        (row, self.confidences) = (JointRow(points), confidences)
    }
}

/// The movement of a body's joints, resampled at even intervals.
struct MovementTrack: Sendable {
    /// Rows a second: counts are as right at 15 as at 30, at half the cost.
    static let rate = 15.0
    /// Rows inside a longer gap between two poses are invented, seconds.
    private static let longestGap: TimeInterval = 0.7

    /// The time of the first row.
    let origin: TimeInterval
    /// Where the joints are in the picture, body sizes.
    private(set) var placed: [JointRow] = []
    /// The same relative to the centre of the shoulders and hips, which removes camera movement.
    private(set) var centred: [JointRow] = []
    /// How sure the joints are, 0...1.
    private(set) var confidences: [SIMD16<Float>] = []
    /// Whether the view changes at a row or nothing was seen there.
    private(set) var isBroken: [Bool] = []
    /// The body's apparent size row by row over its median: the joints' root mean square distance from their centroid.
    private(set) var sizes: [Float] = []
    /// The median size, picture heights.
    let size: Float
    /// Whether every pose was stretched to the picture (`JointExtent`).
    let isStretched: Bool

    /// Resamples bodies, in order of time.
    init?(_ seen: ArraySlice<SeenBody>, isStretched: Bool = false) {
        guard seen.count >= 8, let first = seen.first, let last = seen.last else { return nil }
        (origin, self.isStretched) = (first.time, isStretched)
        let count = max(2, Int((last.time - first.time) * Self.rate + 1e-6) + 1)
        var place = seen.startIndex
        for index in 0..<count {
            let time = first.time + Double(index) / Self.rate
            while place + 2 < seen.endIndex, seen[place + 1].time <= time { place += 1 }
            let (before, next) = (seen[place], seen[place + 1])
            let share = Float(min(1, max(0, (time - before.time) / max(1e-6, next.time - before.time))))
            placed.append(before.row + (next.row - before.row) * share)
            confidences.append(before.confidences + (next.confidences - before.confidences) * share)
            isBroken.append(next.time - before.time > Self.longestGap && time > before.time && time < next.time)
        }
        guard count >= 8 else { return nil }
        for body in seen.dropFirst() where body.isAfterCut {
            isBroken[min(count - 1, max(0, Int((body.time - first.time) * Self.rate + 0.5)))] = true
        }
        sizes = placed.map(\.spread)
        size = max(1e-3, median(sizes))
        let scale = 1 / size
        for index in 0..<count {
            placed[index] = placed[index] * scale
            sizes[index] *= scale
            centred.append(placed[index].centred)
        }
    }

    var count: Int { placed.count }
    /// Seconds from one row to the next.
    var interval: Double { 1 / Self.rate }

    /// The midpoint of the hips, body sizes.
    func middle(_ row: Int) -> SIMD2<Float> {
        (placed[row].point(BodyJoints.hips.0) + placed[row].point(BodyJoints.hips.1)) / 2
    }

    func time(_ row: Int) -> TimeInterval { origin + Double(row) / Self.rate }
}

/// A Hann window whose weights add up to one, for smoothing over time.
struct SmoothingBell {
    private let weights: [Float]

    /// A window of the given width in seconds, at least three rows.
    init(_ width: Double) {
        let rows = max(3, Int((width * MovementTrack.rate).rounded()) | 1)
        let bell = (1...rows).map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(rows + 1)) }
        let sum = bell.reduce(0, +)
        weights = bell.map { Float($0 / sum) }
    }

    func smoothed(_ rows: [JointRow]) -> [JointRow] {
        rows.indices.map { index in
            var sum = JointRow()
            for (offset, weight) in weights.enumerated() { sum += rows[place(index, offset, rows.count)] * weight }
            return sum
        }
    }

    func smoothed(_ values: [Float]) -> [Float] {
        values.indices.map { index in
            var sum: Float = 0
            for (offset, weight) in weights.enumerated() { sum += values[place(index, offset, values.count)] * weight }
            return sum
        }
    }

    /// Rows beyond the ends repeat the end values.
    private func place(_ index: Int, _ offset: Int, _ count: Int) -> Int {
        min(max(index + offset - weights.count / 2, 0), count - 1)
    }
}

/// The median; 0 for no values.
func median(_ values: [Float]) -> Float { values.median }
