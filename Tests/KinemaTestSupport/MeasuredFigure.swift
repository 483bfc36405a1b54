import Foundation
package import KinemaCore

/// A person of rods seen from the side, in metres on the floor, and how a camera sees them.
///
/// Segment lengths are those that `MeasureOptions` expects of a person of that height.
package struct MeasuredFigure: Sendable {
    package typealias Joints = [JointKey: SIMD2<Double>]

    package var height = 1.8
    /// Metres per picture height.
    package var metresPerUnit = 4.0
    /// Degrees by which the floor rises to the right, and its height in the middle of the picture.
    package var tilt = 0.0
    package var floorHeight = 0.15
    package var aspectRatio = 16.0 / 9
    /// Frames per second.
    package var rate = 60.0
    /// The joints at a time in seconds.
    package var joints: @Sendable (Double, MeasuredFigure) -> Joints

    package init(joints: @escaping @Sendable (Double, MeasuredFigure) -> Joints) { self.joints = joints }

    /// The height of the hips of the upright person, metres.
    package var hips: Double { (0.039 + 0.491) * height }

    /// A body with the hips at a place: upright, facing the picture's right, with feet at two places (the ankles').
    package func body(hips: SIMD2<Double>, left: SIMD2<Double>, right: SIMD2<Double>, pitch: Double = 0) -> Joints {
        let neck = hips + SIMD2(0, 0.288 * height)
        let ear = SIMD2(neck.x, neck.y + (1 - 0.039 - 0.491 - 0.288 - 0.075) * height)
        var all: Joints = [.root: hips, .neck: neck, .leftEar: ear, .rightEar: ear, .nose: ear + SIMD2(0.1, 0)]
        let sides: [([JointKey], SIMD2<Double>)] = [
            (
                [.leftHip, .leftKnee, .leftAnkle, .leftHeel, .leftFootTip, .leftShoulder, .leftElbow, .leftWrist],
                left
            ),
            (
                [
                    .rightHip, .rightKnee, .rightAnkle, .rightHeel, .rightFootTip, .rightShoulder, .rightElbow,
                    .rightWrist,
                ],
                right
            ),
        ]
        for (keys, ankle) in sides {
            all[keys[0]] = hips
            all[keys[1]] = knee(hips, ankle)
            all[keys[2]] = ankle
            // Heel and toe lie so that their middle is above the sole as the shares say.
            let (c, s) = (cos(pitch), sin(pitch))
            let low = (0.0125 - 0.039) * height
            for (key, ahead) in [(keys[3], -0.05), (keys[4], 0.17)] {
                all[key] = ankle + SIMD2(ahead * c - low * s, ahead * s + low * c)
            }
            all[keys[5]] = neck
            all[keys[6]] = neck - SIMD2(0, 0.186 * height)
            all[keys[7]] = neck - SIMD2(0, 0.332 * height)
        }
        return all
    }

    /// A person who stands upright at a place.
    package func standing(at x: Double = 0, up: Double = 0) -> Joints {
        let ankle = SIMD2(x, 0.039 * height + up)
        return body(hips: SIMD2(x, hips + up), left: ankle, right: ankle)
    }

    /// The knee ahead of the line from hip to ankle, both bones as long as half a leg.
    private func knee(_ hip: SIMD2<Double>, _ ankle: SIMD2<Double>) -> SIMD2<Double> {
        let way = ankle - hip
        let length = (way * way).sum().squareRoot()
        let bend = max(0, pow(0.491 * height / 2, 2) - length * length / 4).squareRoot()
        return hip + way / 2 + SIMD2(-way.y, way.x) / max(length, 1e-9) * bend
    }

    /// Someone who walks to the right: a stride of `stride` seconds at `speed`, feet on the floor for `stance` of it. The
    /// left foot lands at 0, in the middle of the picture at half the time.
    package static func walking(
        speed: Double = 1.3, stride: Double = 1.1, stance: Double = 0.6, seconds: Double = 5
    ) -> MeasuredFigure {
        stepping(stride: stride, stance: stance) { speed * ($0 - seconds / 2) }
    }

    /// Someone whose hips are above a place at each time, and who steps there; only to the right, or standing.
    package static func stepping(
        stride: Double = 1.1, stance: Double = 0.6, along course: @escaping @Sendable (Double) -> Double
    ) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            func ankle(_ offset: Double) -> SIMD2<Double> {
                let phase = (time + offset) / stride
                let (whole, part) = (phase.rounded(.down), phase - phase.rounded(.down))
                let contact = whole * stride - offset
                // The body passes over the foot in the middle of stance.
                let place = course(contact + stance * stride / 2)
                let way = course(contact + stride + stance * stride / 2) - place
                let share = max(0, (part - stance) / (1 - stance))
                let eased = share * share * (3 - 2 * share)
                let lift = min(way, 0.08) * sin(.pi * share)
                return SIMD2(place + eased * way, 0.039 * figure.height + lift)
            }
            // The hips vault over straight legs.
            let (left, right, ground) = (ankle(0), ankle(stride / 2), 0.039 * figure.height)
            let x = course(time)
            let standing = [left, right].filter { $0.y < ground + 1e-9 }
            let reach = standing.map { abs($0.x - x) }.max() ?? 0
            let leg = 0.491 * figure.height - 0.002
            let hips = SIMD2(x, ground + (leg * leg - reach * reach).squareRoot())
            return figure.body(hips: hips, left: left, right: right)
        }
    }

    /// Someone who jumps straight up, in the air from `takeOff` for `flight` seconds.
    package static func jumping(takeOff: Double, flight: Double) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            let t = time - takeOff
            let up = (0...flight).contains(t) ? 9.80665 / 2 * t * (flight - t) : 0
            return figure.standing(up: up)
        }
    }

    /// Someone who stands for a second, then jumps every 2.8 s: down by 0.3 m in half a second, up in a quarter, through the
    /// air for `flight` seconds, into a landing as deep, and up again.
    package static func countermovementJumping(_ count: Int, flight: Double) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            let jump = min(count - 1, max(0, Int((time - 1) / 2.8)))
            let t = time - 1 - 2.8 * Double(jump)
            func dip(_ since: Double, over seconds: Double) -> Double {
                let share: Double = min(1, max(0, since / seconds))
                return 0.15 * (1 - cos(.pi * share))
            }
            let before: Double = dip(t, over: 0.5) - dip(t - 0.5, over: 0.25)
            let landing: Double = dip(t - 0.75 - flight, over: 0.25) - dip(t - 1 - flight, over: 0.5)
            let down = before + landing
            let air = t - 0.75
            let up: Double = (0...flight).contains(air) ? 9.80665 / 2 * air * (flight - air) : 0
            let ankle = SIMD2<Double>(0, 0.039 * figure.height + up)
            return figure.body(hips: SIMD2<Double>(0, figure.hips + up - down), left: ankle, right: ankle)
        }
    }

    /// Someone who sits, and stands up for `up` seconds from each of the times on; half a second each way.
    package static func rising(at starts: [Double], up: Double) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            let shares = starts.map { start -> Double in
                let (since, left) = ((time - start) / 0.5, (start + up - time) / 0.5)
                return min(max(0, min(since, left)), 1)
            }
            return figure.seated(risenBy: shares.max() ?? 0)
        }
    }

    /// A body on a chair in the middle of the picture, risen by a share of the way.
    private func seated(risenBy share: Double) -> Joints {
        let seat = SIMD2(-0.42, 0.28 * height)
        let ankle = SIMD2(0, 0.039 * height)
        return body(hips: seat + share * (SIMD2(0, hips) - seat), left: ankle, right: ankle)
    }

    /// Timed up and go in 14 s: rises from 1 s on for 0.8 s, walks 3 m to the right from 2.8 to 5.8 s, turns, walks back
    /// from 7.4 to 10.4 s, turns, and sits down from 12 to 12.8 s.
    package static func upAndGo() -> MeasuredFigure {
        let out = stepping { min(max(0, $0 - 2.8), 3) }
        // Mirrored: back to the left.
        let back = stepping { min(max(0, $0 - 7.4), 3) - 3 }
        return MeasuredFigure { time, figure in
            switch time {
            case ..<2: figure.seated(risenBy: min(max(0, time - 1) / 0.8, 1))
            case ..<6.6: out.joints(time, figure)
            case ..<11.2: back.joints(time, figure).mapValues { SIMD2(-$0.x, $0.y) }
            default: figure.seated(risenBy: min(max(0, 12.8 - time) / 0.8, 1))
            }
        }
    }

    /// A sprinter in 2.5 s: in the set position, leaning by 40 degrees, until 1 s, then accelerating by 4 m/s² to the
    /// right. The right foot is behind and leaves the floor at 1.15 s, the left foot at 1.35 s.
    package static func sprinting() -> MeasuredFigure {
        let left: [Rest] = [(0.1, -1, 1.35), (0.98, 1.6, 1.8), (2.4, 2, 2.2), (4, 2.4, 9)]
        let right: [Rest] = [(-0.2, -1, 1.15), (0.45, 1.35, 1.6), (1.62, 1.8, 2), (3.2, 2.2, 9)]
        return MeasuredFigure { time, figure in
            let moving = max(0, time - 1)
            let way = moving < 1 ? 2 * moving * moving : 4 * moving - 2
            let hips = SIMD2(way - 2.5, 0.65)
            let ground = SIMD2(-2.5, 0.039 * figure.height)
            var joints = figure.body(
                hips: hips, left: ground + Self.foot(left, time), right: ground + Self.foot(right, time))
            let (c, s) = (cos(40 * Double.pi / 180), sin(40 * Double.pi / 180))
            let upper: [JointKey] = [
                .neck, .nose, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist,
                .rightWrist,
            ]
            for key in upper {
                joints[key] = joints[key].map { place in
                    let arm = place - hips
                    return hips + SIMD2(arm.x * c + arm.y * s, arm.y * c - arm.x * s)
                }
            }
            return joints
        }
    }

    /// A foot on the ground: metres from the hips in the set position, and seconds.
    private typealias Rest = (place: Double, from: Double, until: Double)

    /// The place of a foot that swings from rest to rest, and its height.
    private static func foot(_ rests: [Rest], _ time: Double) -> SIMD2<Double> {
        let index = rests.firstIndex { $0.until >= time } ?? 0
        let next = rests[index]
        guard index > 0, time < next.from else { return SIMD2(next.place, 0) }
        let last = rests[index - 1]
        let share = (time - last.until) / (next.from - last.until)
        let eased = share * share * (3 - 2 * share)
        return SIMD2(last.place + eased * (next.place - last.place), 0.1 * sin(.pi * share))
    }

    /// The poses of a number of seconds with their times; without depth.
    package func poses(_ seconds: Double) -> [(time: Double, pose: Pose)] {
        (0..<Int(seconds * rate)).map { frame in
            let time = Double(frame) / rate
            let (c, s) = (cos(tilt * .pi / 180), sin(tilt * .pi / 180))
            var pose = Pose(from: [:])
            (pose.id, pose.confidence) = (1, 1)
            for (key, place) in joints(time, self) {
                let unit = place / metresPerUnit
                let (x, y) = (unit.x * c - unit.y * s, unit.x * s + unit.y * c)
                let location = CGPoint(x: 0.5 + x / aspectRatio, y: floorHeight + y)
                pose.keypoints[key] = JointPoint(key, location: location, confidence: 0.9)
            }
            return (time, pose)
        }
    }

    /// The poses as lines of `kinema pose`.
    package func lines(_ seconds: Double, people: Int = 1) -> String {
        poses(seconds).enumerated().map { frame, row in
            let joints = row.pose.keypoints.map { key, joint in
                "\"\(key.rawValue)\":[\(joint.location.x),\(joint.location.y),\(joint.confidence)]"
            }.sorted().joined(separator: ",")
            let everyone = (1...people).map { "{\"id\":\($0),\"confidence\":1,\"keypoints\":{\(joints)}}" }
            return "{\"frame\":\(frame),\"time\":\(row.time),\"people\":[\(everyone.joined(separator: ","))],"
                + "\"hands\":[],\"width\":1280,\"height\":720}\n"
        }.joined()
    }
}
