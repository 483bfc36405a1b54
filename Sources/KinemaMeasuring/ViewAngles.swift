import Foundation
package import KinemaCore

/// The angles that a view can show, over time.
///
/// From the side those of `JointAngles` without left-right lines, and the neck; from the front the left-right lines,
/// the trunk, and abduction of shoulders and hips.
struct ViewAngles {
    var name: String
    var joints: [JointKey]
    /// Degrees; nil where a joint is missing. Those of segments are unwrapped, those of joints within half a turn of
    /// the middle of what the joint can do.
    var values: [Double?]

    static func all(_ track: MeasuredTrack, view: MeasureView) -> [ViewAngles] {
        switch view {
        case .side: side(track)
        case .front: front(track)
        case .oblique: []
        }
    }

    private static func side(_ track: MeasuredTrack) -> [ViewAngles] {
        let toes = (0..<track.count).map { index in JointAngles.toeDirection { track.position($0, index) } }
        let noses = (0..<track.count).map { index in
            track.position(.nose, index).flatMap { nose in track.position(.neck, index).map { nose.x - $0.x } }
        }
        let facesLeft = JointAngles.facesLeft(
            toes.contains { $0 != nil } ? toes : noses, halfWindow: max(1, Int(track.rate / 2)))
        // Angles are measured from the person's right side.
        let place = { (key: JointKey, index: Int) in
            track.position(key, index).map { SIMD2(facesLeft[index] ? -$0.x : $0.x, $0.y) }
        }
        let joints = columns(track, place) { !JointAngles.levels[$0] }
        let neck = (0..<track.count).map { index -> Double? in
            guard let root = place(.root, index), let neck = place(.neck, index), let ear = head(index, place) else {
                return nil
            }
            return turn(from: neck - root, to: ear - neck).map { -$0 }
        }
        return (joints + [ViewAngles(name: neckName, joints: [.root, .neck], values: neck)]).filter(\.isKnown)
    }

    /// Those of `JointAngles` whose columns are kept.
    private static func columns(
        _ track: MeasuredTrack, _ place: (JointKey, Int) -> SIMD2<Double>?, _ isKept: (Int) -> Bool
    ) -> [ViewAngles] {
        let rows = (0..<track.count).map { index in JointAngles.angles { place($0, index) } }
        return JointAngles.names.indices.filter(isKept).map { column in
            let (name, values) = (JointAngles.names[column], rows.map { $0[column] })
            // A joint does not turn on and on; a segment may.
            let bounds = BodyLimits.range(of: name)
            return ViewAngles(
                name: name, joints: JointAngles.joints[column],
                values: bounds.map { bounds in
                    values.map {
                        $0.map { JointAngles.wrapped($0, around: (bounds.lowerBound + bounds.upperBound) / 2) }
                    }
                } ?? JointAngles.unwrapped(values))
        }
    }

    private static func front(_ track: MeasuredTrack) -> [ViewAngles] {
        var angles = columns(track, track.position) { JointAngles.levels[$0] || JointAngles.names[$0] == "Trunk" }
        for (title, side, other) in [
            ("Right", LimbJoints.right, LimbJoints.left), ("Left", LimbJoints.left, LimbJoints.right),
        ] {
            for (name, joint, end, opposite) in [
                ("shoulder", side.shoulder, side.elbow, other.shoulder), ("hip", side.hip, side.knee, other.hip),
            ] {
                let values = (0..<track.count).map { index in
                    abduction(joint, end, from: opposite, track, index)
                }
                angles.append(
                    ViewAngles(
                        name: "\(title) \(name) abduction", joints: [joint, end, opposite, .root, .neck], values: values
                    ))
            }
        }
        return angles.filter(\.isKnown)
    }

    /// Degrees between a limb and the trunk's axis, positive away from the other side.
    private static func abduction(
        _ joint: JointKey, _ end: JointKey, from other: JointKey, _ track: MeasuredTrack, _ index: Int
    ) -> Double? {
        guard let start = track.position(joint, index), let tip = track.position(end, index),
            let opposite = track.position(other, index), let root = track.position(.root, index),
            let neck = track.position(.neck, index), root != neck, let angle = turn(from: root - neck, to: tip - start)
        else { return nil }
        // Outward is the direction from the other side's joint to this one.
        let (down, across) = (root - neck, start - opposite)
        let isLeftwards = down.x * across.y - down.y * across.x > 0
        let open = isLeftwards ? angle : -angle
        // A raised arm is above, not below: -90...270.
        return open < -90 ? open + 360 : open
    }

    private static func head(_ index: Int, _ place: (JointKey, Int) -> SIMD2<Double>?) -> SIMD2<Double>? {
        let ears = ears.compactMap { place($0, index) }
        return ears.isEmpty ? nil : ears.reduce(.zero, +) / Double(ears.count)
    }

    /// The angle from one direction to another, degrees, positive anticlockwise.
    static func turn(from one: SIMD2<Double>, to other: SIMD2<Double>) -> Double? {
        guard one != .zero, other != .zero else { return nil }
        return atan2(one.x * other.y - one.y * other.x, (one * other).sum()) * 180 / .pi
    }

    /// Total seconds for which an angle is at or beyond an end of its range.
    private static let atEnd = 0.1
    /// The least readings of a range, in number and in seconds: fewer show a moment, not a movement.
    private static let (leastReadings, leastSeconds) = (5, 0.3)

    /// The ends of the range on a track in the picture; nil with too few readings.
    ///
    /// Filled values do not count as readings, nor do joints at the picture's edge, unless they are seen there more
    /// often than elsewhere.
    func range(in track: MeasuredTrack) -> RangeFinding? {
        let known = values.indices.filter { confidence(in: track, $0) > 0 }
        let clear = known.filter { track.isClear(sources(in: track, $0), $0) }
        let sorted = (2 * clear.count < known.count ? known : clear).compactMap { values[$0] }.sorted()
        guard sorted.count >= max(Self.leastReadings, Int(Self.leastSeconds * track.rate)) else { return nil }
        // A short recording loses a tenth of its values at most.
        let beyond = min(Int((Self.atEnd * track.rate).rounded()), sorted.count / 10)
        return RangeFinding(
            minimum: sorted[beyond], maximum: sorted[sorted.count - 1 - beyond],
            seen: Double(known.count) / Double(track.count),
            confidence: known.map { confidence(in: track, $0) }.reduce(0, +) / Double(known.count))
    }

    /// The lowest confidence of the joints that give the value of a frame; 0 without a value.
    func confidence(in track: MeasuredTrack, _ index: Int) -> Double {
        values[index] == nil ? 0 : track.confidence(sources(in: track, index), index)
    }

    /// Segments, over two joints, are measured relative to the floor; the neck also has the ears.
    var isJoint: Bool { joints.count > 2 || name == Self.neckName }

    private static let neckName = "Neck"
    private static let ears = [JointKey.leftEar, .rightEar]

    private func sources(in track: MeasuredTrack, _ index: Int) -> [JointKey] {
        name == Self.neckName ? joints + Self.ears.filter { track.position($0, index) != nil } : joints
    }

    private var isKnown: Bool { values.contains { $0 != nil } }
}

/// Finds the view of a person: by depth if the poses have it, otherwise by the width of shoulders and hips.
enum ViewFinder {
    /// The sine of the turn from the front: within 30 degrees of the side view and of the front view.
    private static let sideways = (side: 0.866, front: 0.5)
    /// The same for a person who crosses the picture by a leg's length: the path itself indicates a side view.
    private static let crossing = 0.6
    /// The mean of the shoulders' and the hips' width as a share of the trunk, at 30 degrees from the side view and from
    /// the front view: widths of 0.212 and 0.116, a trunk of 0.288 body heights (Drillis and Contini).
    private static let width = (side: 0.28, front: 0.49)

    /// The usual view of a track; nil without shoulders and hips.
    static func view(_ track: MeasuredTrack) -> MeasureView? {
        let depths = track.sideways.filter(\.isFinite)
        if depths.count * 2 > track.count {
            let turn = depths.median
            return turn > (crosses(track) ? crossing : sideways.side)
                ? .side : turn < sideways.front ? .front : .oblique
        }
        let widths = (0..<track.count).compactMap { index -> Double? in
            guard let shoulders = track.distance(.leftShoulder, .rightShoulder, index),
                let hips = track.distance(.leftHip, .rightHip, index),
                let trunk = track.distance(.neck, .root, index), trunk > 0
            else { return nil }
            return (shoulders + hips) / 2 / trunk
        }
        guard !widths.isEmpty else { return nil }
        let share = widths.median
        return share < width.side ? .side : share > width.front ? .front : .oblique
    }

    private static func crosses(_ track: MeasuredTrack) -> Bool {
        guard let root = track.paths[.root]?.x.filter(\.isFinite), let first = root.first, let last = root.last,
            let leg = FloorFinder(track).leg
        else { return false }
        return abs(last - first) > leg
    }
}

/// A body in space seen from its own right side: x forward, y up, whichever direction it faces.
package struct SideView {
    /// The sideways turn of the body: 0 facing the camera or away from it, 1 in the exact side view.
    package let sideways: Double
    private let joints: [JointKey: SIMD3<Double>]
    private let forward: SIMD3<Double>
    private let up: SIMD3<Double>

    /// Takes joints with x to the picture's right, y up, z towards the camera. Nil without both hips and shoulders, and
    /// for a person lying on their side.
    package init?(_ joints: [JointKey: SIMD3<Double>]) {
        guard let leftHip = joints[.leftHip], let rightHip = joints[.rightHip],
            let leftShoulder = joints[.leftShoulder], let rightShoulder = joints[.rightShoulder]
        else { return nil }
        let across = (rightHip - leftHip) + (rightShoulder - leftShoulder)
        let length = (across * across).sum().squareRoot()
        guard length > 1e-6 else { return nil }
        let right = across / length
        // The part of "up" that is perpendicular to the body's left-right axis.
        let upright = SIMD3(0, 1, 0) - right * right.y
        let height = (upright * upright).sum().squareRoot()
        // Below this (right.y above 0.98) the body lies on its side.
        guard height > 0.2 else { return nil }
        self.joints = joints
        sideways = abs(right.z)
        up = upright / height
        forward = SIMD3(
            up.y * right.z - up.z * right.y, up.z * right.x - up.x * right.z, up.x * right.y - up.y * right.x)
    }

    package func position(of key: JointKey) -> SIMD2<Double>? {
        joints[key].map { SIMD2(($0 * forward).sum(), ($0 * up).sum()) }
    }
}
