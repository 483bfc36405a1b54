import Foundation
package import KinemaCore

extension BodyMeasurement {
    /// An angle of one frame in the picture: at a joint, from the direction in which it is 0 to that of the limb. Lengths
    /// are picture heights, y up.
    package struct Arms: Sendable {
        package var name: String
        package var degrees: Double
        package var joint, zero, limb: SIMD2<Double>
    }

    /// The angles of joints and trunk to draw in a frame; from the side, those of the more visible side.
    package func arms(at index: Int) -> [Arms] { drawn.compactMap { arms(of: $0, at: index) } }

    /// The time at which the joint with the largest range bends most; nil without joint angles.
    package var extreme: Double? {
        func width(_ name: String) -> Double { ranges[name].map { $0.maximum - $0.minimum } ?? -1 }
        guard let name = drawn.filter({ $0 != "Trunk" }).max(by: { width($0) < width($1) }), let range = ranges[name],
            let quantity = quantities[name]
        else { return nil }
        // Filled values and those beyond the range do not count as readings.
        let known = quantity.values.enumerated().compactMap { index, value -> (index: Int, bend: Double)? in
            guard quantity.confidence[index] > 0, let value, (range.minimum...range.maximum).contains(value) else {
                return nil
            }
            return (index, abs(value))
        }
        return known.max { $0.bend < $1.bend }.map { times[$0.index] }
    }

    /// The names of the angles that a drawing shows.
    static func drawn(_ joints: [String: [JointKey]], _ quantities: [String: MeasuredQuantity], _ view: MeasureView)
        -> [String]
    {
        let kinds = ["ankle", "knee", "hip", "shoulder", "elbow", "abduction", "Trunk", "Pelvis", "Shoulders"]
        let names = AngleSeries.names.filter { name in joints[name] != nil && kinds.contains { name.hasSuffix($0) } }
        guard view == .side else { return names }
        func confidence(_ side: String) -> Double {
            names.filter { $0.hasPrefix(side) }.flatMap { quantities[$0]?.confidence ?? [] }.reduce(0, +)
        }
        let far = confidence("Left") > confidence("Right") ? "Right" : "Left"
        return names.filter { !$0.hasPrefix(far) }
    }

    private func arms(of name: String, at index: Int) -> Arms? {
        guard let keys = joints[name], let quantity = quantities[name], quantity.confidence[index] > 0,
            let degrees = quantity.values[index]
        else { return nil }
        let at = keys.compactMap { track.position($0, index) }
        guard at.count == keys.count else { return nil }
        let (joint, zero, limb): (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>)
        switch keys.count {
        case 3: (joint, zero, limb) = (at[1], at[1] - at[2], at[0] - at[1])
        case 4 where name.hasSuffix("ankle"):
            let (shank, foot) = (at[0] - at[1], at[2] - at[3])
            let across = SIMD2(-shank.y, shank.x)
            (joint, zero, limb) = (at[1], (across * foot).sum() < 0 ? -across : across, foot)
        case 4: (joint, zero, limb) = (at[1], at[2] - at[3], at[0] - at[1])
        case 5: (joint, zero, limb) = (at[0], at[3] - at[4], at[1] - at[0])
        default:
            // Relative to the floor, in the direction from which the angle is counted.
            limb = at[0] - at[1]
            let tilt = (floor?.angle ?? 0) * .pi / 180
            let ahead = SIMD2(cos(tilt), sin(tilt))
            let turn = abs(ViewAngles.turn(from: ahead, to: limb) ?? 0)
            (joint, zero) = (at[1], abs(turn - abs(degrees)) > abs(180 - turn - abs(degrees)) ? -ahead : ahead)
        }
        return Arms(name: name, degrees: degrees, joint: joint, zero: zero, limb: limb)
    }

    /// The measured joints in the picture, as a pose.
    package func pose(at index: Int) -> Pose {
        var pose = Pose(from: [:])
        (pose.id, pose.confidence) = (1, 1)
        for (key, path) in track.paths {
            guard let place = path[index] else { continue }
            pose.keypoints[key] = JointPoint(
                key, location: CGPoint(x: place.x / track.aspectRatio, y: place.y),
                confidence: Float(path.confidence[index]))
        }
        return pose
    }

    /// The frame at a time, seconds; nil outside the measured part.
    package func index(at time: Double) -> Int? {
        let index = ((time - (times.first ?? 0)) * track.rate).rounded()
        return index >= 0 && index < Double(track.count) ? Int(index) : nil
    }

    /// The position of a foot at a contact, in the picture: the heel, or the ankle, a tenth of a second later.
    package func foot(of event: MeasureEvent) -> SIMD2<Double>? {
        guard let index = index(at: event.time + 0.1),
            let side = LimbJoints.both.first(where: { $0.name == event.side })
        else { return nil }
        return track.position(side.heel, index) ?? track.position(side.ankle, index)
    }
}
