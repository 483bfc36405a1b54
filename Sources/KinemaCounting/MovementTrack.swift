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
    /// How many times as long the movement is made, to read quick ones: everything but times sees it so slowed.
    let slowing: Double

    /// Resamples bodies, in order of time.
    init?(_ seen: ArraySlice<SeenBody>, isStretched: Bool = false, slowing: Double = 1) {
        guard seen.count >= 8, let first = seen.first, let last = seen.last else { return nil }
        (origin, self.isStretched, self.slowing) = (first.time, isStretched, slowing)
        let rate = Self.rate * slowing
        let count = max(2, Int((last.time - first.time) * rate + 1e-6) + 1)
        var place = seen.startIndex
        for index in 0..<count {
            let time = first.time + Double(index) / rate
            while place + 2 < seen.endIndex, seen[place + 1].time <= time { place += 1 }
            let (before, next) = (seen[place], seen[place + 1])
            let share = Float(min(1, max(0, (time - before.time) / max(1e-6, next.time - before.time))))
            placed.append(before.row + (next.row - before.row) * share)
            confidences.append(before.confidences + (next.confidences - before.confidences) * share)
            isBroken.append(next.time - before.time > Self.longestGap && time > before.time && time < next.time)
        }
        guard count >= 8 else { return nil }
        for body in seen.dropFirst() where body.isAfterCut {
            isBroken[min(count - 1, max(0, Int((body.time - first.time) * rate + 0.5)))] = true
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

    /// The midpoint of two joints, of the hips unless told otherwise, body sizes.
    func middle(_ row: Int, of joints: (Int, Int) = BodyJoints.hips) -> SIMD2<Float> {
        (placed[row].point(joints.0) + placed[row].point(joints.1)) / 2
    }

    /// The time of a row or of a place between two, and the row at a time, of the recording.
    func time(between rows: Double) -> TimeInterval { origin + rows / (Self.rate * slowing) }
    func time(_ row: Int) -> TimeInterval { time(between: Double(row)) }
    func row(at time: TimeInterval) -> Int { min(count - 1, max(0, Int((time - origin) * Self.rate * slowing))) }
}

extension MovementTrack {
    /// The rows at which a jumping body is highest: it falls as freely as bodies do, both feet are off the ground, and no hand
    /// holds it up.
    ///
    /// A body of 1.75 m has a size of about 0.5 m, so 9.81 m/s² are 20 body sizes a second squared; smoothed poses at 15 rows a
    /// second show a little less, a body on a bar less than 13. The labelled recordings of jumps (`jump_squat8`,
    /// `jump_squat11`, `squat_physio6`, `tuckjump6`, `burpee_jump3`) have as many as are labelled, 33 of 40 drawn sets too; of
    /// 383 other drawn figures 5 have any.
    var jumps: [Int] {
        let bell = SmoothingBell(0)
        func height(_ row: JointRow, _ joints: (Int, Int)) -> Float {
            (row.point(joints.0).y + row.point(joints.1).y) / 2
        }
        let hips = placed.map { height($0, BodyJoints.hips) }, hands = placed.map { height($0, BodyJoints.wrists) }
        let trunk = bell.smoothed(zip(placed, hips).map { (height($0, BodyJoints.shoulders) + $1) / 2 })
        let feet = bell.smoothed(placed.map { min($0.point(BodyJoints.ankles.0).y, $0.point(BodyJoints.ankles.1).y) })
        let second = Int(Self.rate)
        guard count > 2 * Jump.rows else { return [] }
        return (Jump.rows..<count - Jump.rows).filter { row in
            guard trunk[row] == trunk[row - Jump.rows...row + Jump.rows].max() else { return false }
            let before = max(0, row - second)..<row, after = row + 1..<min(count, row + second + 1)
            func rise(_ values: [Float], to top: Float) -> Float {
                top - max(values[before].min() ?? top, values[after].min() ?? top)
            }
            let falls = [2, 3].map { rows in
                let time = Float(rows) * Float(interval)
                return (2 * trunk[row] - trunk[row - rows] - trunk[row + rows]) / (time * time)
            }
            let body = placed[row]
            let up = middle(row, of: BodyJoints.shoulders) - middle(row)
            let apart = abs(body.point(BodyJoints.ankles.0).y - body.point(BodyJoints.ankles.1).y)
            return Jump.fall.contains(falls.max() ?? 0) && rise(trunk, to: trunk[row]) > Jump.rise
                && rise(feet, to: max(feet[row - 1], feet[row], feet[row + 1])) > Jump.lift
                && rise(hands, to: hands[row]) > Jump.ofHands && hips[row] - feet[row] > Jump.legs
                && apart < Jump.apart && up.y > Jump.upright * (up * up).sum().squareRoot()
        }
    }

    /// A wave with a period for each of some moments, at which it is highest: from and to the middle between two, or at most
    /// the given seconds.
    func wave(at moments: [Int], within most: TimeInterval) -> [Float] {
        let reach = Int(most * Self.rate)
        var values = [Float](repeating: 0, count: count)
        for (index, moment) in moments.enumerated() {
            let before = index > 0 ? min(reach, (moment - moments[index - 1]) / 2) : reach
            let after = index + 1 < moments.count ? min(reach, (moments[index + 1] - moment) / 2) : reach
            for row in max(0, moment - before)...min(count - 1, moment + after) {
                let share = Float(row - moment) / Float(max(1, row < moment ? before : after))
                values[row] = max(values[row], (1 + cos(.pi * share)) / 2)
            }
        }
        return values
    }

    /// What a jump is, in body sizes and seconds.
    private enum Jump {
        /// The rows before and after within which nothing is higher.
        static let rows = 4
        /// How far the trunk, both feet and the hands rise above their lowest within a second before and after. Jumping
        /// jacks, of whose hops there are two for each, raise the trunk by 0.4 at most.
        static let rise: Float = 0.42, lift: Float = 0.12, ofHands: Float = 0.3
        /// The acceleration downwards.
        static let fall: ClosedRange<Float> = 14...60
        /// How far the feet are below the hips at least and from each other at most (a runner's are farther apart), and the
        /// least share of the trunk's direction that points up.
        static let legs: Float = 0.5, apart: Float = 0.4, upright: Float = 0.6
    }
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
