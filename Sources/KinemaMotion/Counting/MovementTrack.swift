import Foundation
import KinemaCore

/// The movement of a body's joints, resampled at even intervals.
struct MovementTrack: Sendable {
    /// Seconds from one row to the next.
    let interval: Double
    /// The time of the first row.
    let origin: TimeInterval
    /// Where the joints are in the picture, picture heights.
    private(set) var placed: [JointRow] = []
    /// The same relative to the centre of the shoulders and hips, which removes camera movement.
    private(set) var centred: [JointRow] = []
    /// The body's apparent size row by row: the joints' root mean square distance from their centroid, picture heights.
    private(set) var sizes: [Float] = []
    /// The median of the sizes.
    let size: Float

    /// Resamples bodies, in order of time, at the median frame interval, at most `fastest` rows a second.
    init?(_ seen: ArraySlice<SeenBody>, fastest: Double = 30) {
        guard seen.count >= 8, let first = seen.first else { return nil }
        let steps = zip(seen, seen.dropFirst()).map { $1.time - $0.time }.sorted()
        interval = max(1 / fastest, steps[steps.count / 2])
        origin = first.time
        var before = first
        for next in seen {
            while case let time = origin + Double(placed.count) * interval, time <= next.time {
                let share = next.time > before.time ? Float((time - before.time) / (next.time - before.time)) : 1
                placed.append(before.row + (next.row - before.row) * min(1, max(0, share)))
            }
            before = next
        }
        guard placed.count >= 8 else { return nil }
        for row in placed {
            let points = (0..<JointRow.joints).map(row.point)
            let middle = points.reduce(.zero, +) / Float(JointRow.joints)
            let spread = points.reduce(Float(0)) { sum, point in
                let away = point - middle
                return sum + (away * away).sum()
            }
            sizes.append((spread / Float(JointRow.joints)).squareRoot())
            centred.append(row.centred)
        }
        size = max(1e-4, median(sizes))
    }

    var count: Int { placed.count }

    /// The midpoint of the hips, picture heights.
    func middle(_ row: Int) -> SIMD2<Float> {
        (placed[row].point(BodyJoints.hips.0) + placed[row].point(BodyJoints.hips.1)) / 2
    }

    func time(_ row: Int) -> TimeInterval { origin + Double(row) * interval }
}

/// A Hann window whose weights add up to one, for smoothing over time.
struct SmoothingBell {
    private let weights: [Float]

    /// A window of the given width in seconds, at least three rows.
    init(_ width: Double, interval: Double) {
        let rows = max(3, Int((width / interval).rounded()) | 1)
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
