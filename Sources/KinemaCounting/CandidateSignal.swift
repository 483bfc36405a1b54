import Foundation

/// A quantity of a body that may go up and down with its repetitions, row by row.
struct CandidateSignal: Sendable {
    /// What kind of quantity it is; also evidence (`family`), in this order.
    enum Family: String, Sendable, CaseIterable {
        /// A principal component of the joints' places in the picture, or relative to the trunk.
        case placed, centred
        case angle, height, distance, length
        /// The repetitions that the network found.
        case network
    }

    let family: Family
    /// Its number within the family, from 0.
    let component: Int
    /// How it follows from a body; nil where only the whole track tells.
    let measure: MotionMeasure?
    /// The rows in which it was looked for.
    let window: Range<Int>
    /// The share of the window's movement that varies with it, 0...1.
    let share: Float
    let values: [Float]
    /// The span between the 5th and 95th percentiles of the values within the window: body sizes or radians.
    let range: Float
}

/// A number that follows from a body's joints: lengths in body sizes, angles in radians.
enum MotionMeasure: Sendable {
    /// A weighted sum of the joints in the picture or relative to the trunk, minus an offset.
    case linear(JointRow, offset: Float, isCentred: Bool)
    /// A weighted sum of angles, each at the second of three joints.
    case angles([(joints: (Int, Int, Int), weight: Float)])
    /// The distance of two joints.
    case apart(Int, Int)
    /// The root mean square distance of the joints from a posture relative to the trunk.
    case posture(JointRow)
    /// The logarithm of the body's apparent size.
    case size

    /// The number of one body, whose joints are in body sizes.
    func value(_ placed: JointRow, centred: JointRow) -> Float {
        switch self {
        case .linear(let weights, let offset, let isCentred): (isCentred ? centred : placed).dot(weights) - offset
        case .angles(let parts):
            parts.filter { $0.weight != 0 }.reduce(0) {
                $0 + $1.weight * Self.angle(placed, $1.joints.0, $1.joints.1, $1.joints.2)
            }
        case .apart(let one, let other):
            ((placed.point(one) - placed.point(other)) * (placed.point(one) - placed.point(other))).sum().squareRoot()
        case .posture(let row): (centred - row).squared.squareRoot()
        case .size: log(max(placed.spread, 1e-3))
        }
    }

    private static func angle(_ row: JointRow, _ one: Int, _ middle: Int, _ other: Int) -> Float {
        let (a, b) = (row.point(one) - row.point(middle), row.point(other) - row.point(middle))
        return acos(min(1, max(-1, (a * b).sum() / ((a * a).sum() * (b * b).sum() + 1e-9).squareRoot())))
    }
}

extension MotionMeasure {
    /// Measures of single limbs and of both, by family: what a person who counts would look at.
    static let all: [(family: CandidateSignal.Family, measure: MotionMeasure)] = angles + heights + lengths

    private static var angles: [(CandidateSignal.Family, MotionMeasure)] {
        typealias Body = BodyJoints
        let limbs: [[(Int, Int)]] = [
            [Body.shoulders, Body.elbows, Body.wrists], [Body.hips, Body.knees, Body.ankles],
            [Body.shoulders, Body.hips, Body.knees], [Body.hips, Body.shoulders, Body.elbows],
        ]
        return limbs.flatMap { joints -> [(CandidateSignal.Family, MotionMeasure)] in
            let (left, right) = ((joints[0].0, joints[1].0, joints[2].0), (joints[0].1, joints[1].1, joints[2].1))
            let weights: [(Float, Float)] = [(1, 0), (0, 1), (0.5, 0.5), (1, -1)]
            return weights.map { of, against in
                (.angle, .angles([(joints: left, weight: of), (joints: right, weight: against)]))
            }
        }
    }

    private static var heights: [(CandidateSignal.Family, MotionMeasure)] {
        typealias Body = BodyJoints
        /// Weighted joints along x (0) or y (1), relative to the trunk or not.
        func along(_ axis: Int, _ joints: [(Int, Float)], isCentred: Bool = false) -> (
            CandidateSignal.Family, MotionMeasure
        ) {
            var weights = JointRow()
            for (joint, weight) in joints { weights[2 * joint + axis] += weight }
            return (.height, .linear(weights, offset: 0, isCentred: isCentred))
        }
        func both(_ pair: (Int, Int)) -> [(Int, Float)] { [(pair.0, 0.5), (pair.1, 0.5)] }
        func against(_ pair: (Int, Int)) -> [(Int, Float)] { [(pair.0, 0.5), (pair.1, -0.5)] }
        let inPicture = [
            along(1, [(Body.nose, 1)]), along(1, both(Body.hips)), along(0, both(Body.hips)),
            along(1, both(Body.shoulders)), along(1, both(Body.wrists)),
        ]
        let ends = [Body.wrists.0, Body.wrists.1, Body.ankles.0, Body.ankles.1, Body.nose]
        let ofTrunk = [1, 0].flatMap { axis in
            ends.map { along(axis, [($0, 1)], isCentred: true) }
                + [along(axis, both(Body.shoulders) + both(Body.hips).map { ($0.0, -$0.1) })]
        }
        let sides = [Body.wrists, Body.ankles].flatMap { pair in
            [along(1, both(pair), isCentred: true), along(1, against(pair), isCentred: true)]
        }
        return inPicture + ofTrunk + sides
    }

    private static var lengths: [(CandidateSignal.Family, MotionMeasure)] {
        typealias Body = BodyJoints
        let pairs = [
            Body.wrists, Body.ankles, Body.knees, Body.elbows, (Body.wrists.0, Body.ankles.0),
            (Body.wrists.1, Body.ankles.1), (Body.nose, Body.ankles.0),
        ]
        return pairs.map { (.length, .apart($0.0, $0.1)) } + [(.length, .size)]
    }
}

/// The directions that hold most of the movement in some rows.
struct PrincipalComponents {
    let mean: JointRow
    private(set) var directions: [(direction: JointRow, share: Float)] = []

    /// Finds directions by power iteration on the covariance, deflated by each one found.
    init(_ rows: ArraySlice<JointRow>, components: Int) {
        mean = JointRow.mean(rows)
        var covariance = [JointRow](repeating: JointRow(), count: JointRow.lanes)
        for row in rows {
            let away = row - mean
            for lane in 0..<JointRow.lanes { covariance[lane] += away * away[lane] }
        }
        let total = (0..<JointRow.lanes).reduce(Float(0)) { $0 + covariance[$1][$1] }
        guard total > 0 else { return }
        for _ in 0..<components {
            guard let (direction, length) = Self.strongest(covariance) else { return }
            directions.append((direction, length / total))
            for lane in 0..<JointRow.lanes {
                covariance[lane] = covariance[lane] - direction * (length * direction[lane])
            }
        }
    }

    private static func strongest(_ covariance: [JointRow]) -> (JointRow, Float)? {
        // The row with the largest diagonal entry is orthogonal to the eigenvector only by chance.
        let best = (0..<JointRow.lanes).max { covariance[$0][$0] < covariance[$1][$1] } ?? 0
        var direction = covariance[best]
        var length: Float = 0
        for _ in 0...30 {
            let norm = direction.squared.squareRoot()
            guard norm > 0, norm.isFinite else { return nil }
            direction = direction * (1 / norm)
            var next = JointRow()
            for lane in 0..<JointRow.lanes { next[lane] = covariance[lane].dot(direction) }
            length = next.dot(direction)
            direction = next
        }
        let norm = direction.squared.squareRoot()
        guard norm > 0, norm.isFinite else { return nil }
        return (direction * (1 / norm), length)
    }
}

/// Where a signal turns: alternating highs and lows, each but the last followed by a return of more than the
/// hysteresis.
struct TurningPoints {
    private(set) var rows: [Int] = []

    init(_ values: [Float], hysteresis: Float) {
        guard var high = values.first else { return }
        var (low, highRow, lowRow, direction) = (high, 0, 0, 0)
        for (row, value) in values.enumerated() {
            if direction >= 0 {
                if value > high { (high, highRow) = (value, row) }
                if high - value > hysteresis {
                    rows.append(highRow)
                    (direction, low, lowRow) = (-1, value, row)
                    continue
                }
            }
            if direction <= 0 {
                if value < low { (low, lowRow) = (value, row) }
                if value - low > hysteresis {
                    rows.append(lowRow)
                    (direction, high, highRow) = (1, value, row)
                }
            }
        }
        if direction != 0 { rows.append(direction > 0 ? highRow : lowRow) }
    }
}
