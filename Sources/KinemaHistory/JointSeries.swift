package import Foundation
package import Kinema
import KinemaMotion

/// The angles of everyone in a session in each frame, in the plane of the picture: what a set is measured from.
package struct JointSeries: Sendable {
    /// An angle between two limbs, or the trunk against the vertical.
    struct Joint: Sendable, Hashable {
        var name: String
        /// The joints of the angle, its vertex second; of the trunk, both shoulders and both hips.
        var keys: [JointKey]
        /// The sharpest angle that a person can make, degrees: knees bend to 157 degrees when sitting on the heels
        /// (Hemmerich et al., J Orthop Res 24, 2006), elbows to 150 (American Academy of Orthopaedic Surgeons, 1965), and
        /// neither by more than 160. A sharper one in the picture is a limb that points at the camera.
        var sharpest: Float = 0

        /// "Knee" for either knee.
        var pair: String { name.replacing("left", with: "").replacing("right", with: "") }
    }

    static let joints: [Joint] = {
        let limbs = [
            Joint(name: "Knee", keys: [.leftHip, .leftKnee, .leftAnkle], sharpest: 20),
            Joint(name: "Hip", keys: [.leftShoulder, .leftHip, .leftKnee]),
            Joint(name: "Elbow", keys: [.leftShoulder, .leftElbow, .leftWrist], sharpest: 20),
            Joint(name: "Shoulder", keys: [.leftHip, .leftShoulder, .leftElbow]),
        ]
        let left = limbs.map { Joint(name: "left" + $0.name, keys: $0.keys, sharpest: $0.sharpest) }
        let right = limbs.map { Joint(name: "right" + $0.name, keys: $0.keys.map(\.mirrored), sharpest: $0.sharpest) }
        return left + right + [Joint(name: "trunk", keys: [.leftShoulder, .rightShoulder, .leftHip, .rightHip])]
    }()

    /// The confidence below which nothing is computed.
    private static let sure: Float = 0.5

    /// A person in one frame: angles in degrees, NaN where unknown, and the confidence of their least certain joint; in
    /// the last places the height of the hips and the width of shoulders and hips, trunk lengths.
    private struct Row: Sendable {
        var frame: Int
        var angles = SIMD16<Float>(repeating: .nan)
        var sight = SIMD16<Float>.zero
        /// Of the `raised` joints, picture heights; NaN where unknown.
        var heights = SIMD8<Float>(repeating: .nan)
    }

    /// The joints by whose heights two views of a movement are compared.
    private static let raised: [JointKey] = [
        .leftHip, .rightHip, .leftShoulder, .rightShoulder, .leftWrist, .rightWrist, .leftAnkle, .rightAnkle,
    ]

    private static let (hipHeight, width) = (14, 15)

    /// Seconds.
    private(set) var times: [Double] = []
    private var rows: [Int: [Row]] = [:]

    /// Adds the people of the next frame; `shape` is its width over its height.
    package mutating func add(_ poses: [Pose], at time: Double, shape: Double) {
        for pose in poses {
            guard let id = pose.id else { continue }
            rows[id, default: []].append(Self.row(pose, frame: times.count, shape: shape))
        }
        times.append(time)
    }

    /// Reads stored poses; nil if they are damaged.
    package init?(lines: Data) {
        var reader = PoseLinesReader(lines, file: "poses")
        do {
            while let frame = try reader.next() {
                add(frame.poses, at: frame.time, shape: Double(frame.width) / Double(max(1, frame.height)))
            }
        } catch { return nil }
    }

    package init() {}

    /// The first frame at or after a time.
    func index(of time: Double) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    var people: [Int] { rows.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.map(\.key) }

    /// A joint's angle in each frame, without single misread frames: the median of three.
    func angles(_ joint: Int, of person: Int) -> [Float] {
        var values = [Float](repeating: .nan, count: times.count)
        for row in rows[person] ?? [] { values[row.frame] = row.angles[joint] }
        return values.indices.map { index in
            guard values[index].isFinite else { return .nan }
            let near = values[max(0, index - 1)...min(values.count - 1, index + 1)].filter(\.isFinite).sorted()
            return near.count == 2 ? (near[0] + near[1]) / 2 : near[near.count / 2]
        }
    }

    func hipHeights(of person: Int) -> [Float] {
        var values = [Float](repeating: .nan, count: times.count)
        for row in rows[person] ?? [] { values[row.frame] = row.angles[Self.hipHeight] }
        return values
    }

    /// The mean confidence in a joint while a condition on the time holds, and the median width of the body.
    func sight(_ joint: Int, of person: Int, where isWanted: (Double) -> Bool) -> Float {
        let wanted = (rows[person] ?? []).filter { isWanted(times[$0.frame]) }
        return wanted.isEmpty ? 0 : wanted.reduce(0) { $0 + $1.sight[joint] } / Float(wanted.count)
    }

    /// The median width of a person's shoulders and hips, trunk lengths: about 0.55 seen from the front, 0 from the side.
    func width(of person: Int, where isWanted: (Double) -> Bool) -> Float {
        let known = (rows[person] ?? []).filter { isWanted(times[$0.frame]) && $0.angles[Self.width].isFinite }
        let widths = known.map { $0.angles[Self.width] }.sorted()
        return widths.isEmpty ? 0 : widths[widths.count / 2]
    }

    /// Whether a person is in view all through a repetition, as far as there are frames.
    func covers(_ start: Double, _ end: Double, of person: Int, _ gap: SightGap) -> Bool {
        guard let last = times.last, end <= last + gap.longest else { return true }
        let seen = (rows[person] ?? []).lazy.map { times[$0.frame] }.filter { (start...max(start, end)).contains($0) }
        return gap.isUnbroken(seen, from: start, to: end)
    }

    // MARK: Two views

    /// Steps a second at which two views are compared.
    private static let rate = 30.0
    /// Seconds around the clocks' offset in which the movement is sought: clocks of phones are compared by the frames that
    /// arrived with the least delay. A wider search would find the next repetition.
    private static let search = 0.6
    /// How much likeness a place at the edge of the search must have more than one in its middle, for the same reason.
    private static let distrust: Float = 0.15
    /// Seconds of a set that are compared: no set is longer, and times of an imported file may be.
    private static let longest = 3_600.0
    /// The least correlation of two views of one movement; below, the clocks alone are believed.
    private static let alike: Float = 0.5

    /// How fast hips, shoulders, wrists and ankles of the most prominent person rise at each step, in picture heights: a level
    /// camera shows the same heights from every side, while angles differ.
    private func movement() -> [[Float]] {
        guard let person = people.first, let end = times.last, end > 0 else { return [] }
        let count = Int(min(end, Self.longest) * Self.rate) + 1
        return Self.raised.indices.map { place in
            var speeds = [Float](repeating: 0, count: count)
            var before: (time: TimeInterval, height: Float)?
            for row in rows[person] ?? [] where row.heights[place].isFinite {
                let (time, height) = (times[row.frame], row.heights[place])
                defer { before = (time, height) }
                guard let before, time > before.time, time - before.time < 0.5 else { continue }
                let first = Int((before.time * Self.rate).rounded(.up))
                for step in first..<max(first, Int((time * Self.rate).rounded(.up))) where speeds.indices.contains(step)
                {
                    speeds[step] = (height - before.height) / Float(time - before.time)
                }
            }
            // A fifth of a second, so that single frames do not matter.
            return speeds.indices.map { step in
                let near = speeds[max(0, step - 3)...min(count - 1, step + 3)]
                return near.reduce(0, +) / Float(near.count)
            }
        }
    }

    /// Seconds from this series' first frame to that of another view of the same movement, sought around a guess; nil
    /// where the movements are not alike.
    func offset(of other: JointSeries, near guess: Double) -> Double? {
        let (one, two) = (movement(), other.movement())
        let (middle, reach) = (Int((guess * Self.rate).rounded()), Int(Self.search * Self.rate))
        let likeness = (middle - reach...middle + reach).map { shift -> Float in
            var (both, first, second): (Float, Float, Float) = (0, 0, 0)
            for (one, two) in zip(one, two) {
                for step in max(0, shift)..<max(max(0, shift), min(one.count, two.count + shift)) {
                    let (a, b) = (one[step], two[step - shift])
                    (both, first, second) = (both + a * b, first + a * a, second + b * b)
                }
            }
            return first > 0 && second > 0 ? both / (first * second).squareRoot() : 0
        }
        func worth(_ place: Int) -> Float {
            likeness[place] - Self.distrust * Float(abs(place - reach)) / Float(reach)
        }
        guard let best = likeness.indices.max(by: { worth($0) < worth($1) }), likeness[best] >= Self.alike else {
            return nil
        }
        var shift = Double(middle - reach + best)
        if best > 0, best < likeness.count - 1 {
            // Between the steps, at the top of the parabola through three.
            let (left, top, right) = (likeness[best - 1], likeness[best], likeness[best + 1])
            let bend = left - 2 * top + right
            if bend < 0 { shift += Double((left - right) / (2 * bend)) }
        }
        return shift / Self.rate
    }

    private static func row(_ pose: Pose, frame: Int, shape: Double) -> Row {
        var row = Row(frame: frame)
        func place(_ key: JointKey) -> SIMD2<Float>? {
            pose.keypoints[key].map { SIMD2(Float($0.location.x * shape), Float($0.location.y)) }
        }
        for (index, key) in raised.enumerated() {
            if let point = pose.keypoints[key], point.confidence >= sure {
                row.heights[index] = Float(point.location.y)
            }
        }
        for (index, joint) in joints.enumerated() {
            row.sight[index] = joint.keys.map { pose.keypoints[$0]?.confidence ?? 0 }.min() ?? 0
            let points = joint.keys.compactMap(place)
            guard row.sight[index] >= sure, points.count == joint.keys.count else { continue }
            if points.count == 3 {
                let angle = degrees(points[0] - points[1], points[2] - points[1])
                row.angles[index] = angle >= joint.sharpest ? angle : .nan
            } else {
                let (neck, hip) = ((points[0] + points[1]) / 2, (points[2] + points[3]) / 2)
                let trunk = max(length(neck - hip), 1e-4)
                row.angles[index] = degrees(neck - hip, SIMD2(0, 1))
                row.angles[hipHeight] = hip.y / trunk
                row.angles[width] = (length(points[0] - points[1]) + length(points[2] - points[3])) / 2 / trunk
            }
        }
        return row
    }

    private static func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

    private static func degrees(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> Float {
        let scale = length(one) * length(other)
        return scale < 1e-9 ? .nan : acos(min(1, max(-1, (one * other).sum() / scale))) * 180 / .pi
    }
}
