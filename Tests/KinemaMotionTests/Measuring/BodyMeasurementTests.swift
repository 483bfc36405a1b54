@testable import KinemaMeasuring
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

/// Figures of known height and movement, measured.
struct BodyMeasurementTests {
    private func measure(
        _ figure: MeasuredFigure, _ seconds: Double, hiding: (Double, JointKey) -> Bool = { _, _ in false },
        with change: (inout MeasureOptions) -> Void = { _ in }
    ) throws -> BodyMeasurement {
        var options = MeasureOptions(height: figure.height)
        // Rods have no width to see the side by.
        options.view = .side
        change(&options)
        let samples = figure.poses(seconds).map { time, pose in
            var pose = pose
            for key in pose.keypoints.keys where hiding(time, key) { pose.keypoints[key] = nil }
            return MeasuredTrack.Sample(pose, at: time, aspectRatio: figure.aspectRatio)
        }
        let track = try #require(
            MeasuredTrack(samples, aspectRatio: figure.aspectRatio, confidence: options.confidence))
        return BodyMeasurement(track, options)
    }

    @Test(arguments: [-4.0, 0, 3]) func `a walk gives scale, floor and steps`(tilt: Double) throws {
        var figure = MeasuredFigure.walking()
        figure.tilt = tilt
        let found = try measure(figure, 5)
        let scale = try #require(found.scale)
        #expect(abs(scale.metresPerUnit / 4 - 1) < 0.01 && scale.method == "standing" && scale.spread < 0.01)
        let floor = try #require(found.floor)
        #expect(abs(floor.angle - tilt) < 0.2 && abs(floor.height - 0.15) < 0.005)
        #expect(found.direction == "right" && found.warnings.isEmpty, "\(found.warnings)")
        let gait = try #require(found.tests.gait)
        #expect(abs((gait.speed ?? 0) - 1.3) < 0.03 && abs(gait.cadence - 2 * 60 / 1.1) < 1)
        #expect(abs((gait.stepLength?.mean ?? 0) - 0.715) < 0.015, "\(gait)")
        #expect(abs((gait.stance?.mean ?? 0) - 0.6) < 0.03 && (gait.symmetry ?? 1) < 0.03)
    }

    @Test func `contacts and toe-offs are within a frame at 30 per second`() throws {
        let found = try measure(.walking(), 5)
        for (kind, offset) in [(MeasureEvent.Kind.contact, 0.0), (.toeOff, 0.66)] {
            for (side, start) in [("left", offset), ("right", offset - 0.55)] {
                let events = found.events.filter { $0.kind == kind && $0.side == side }
                #expect(events.count >= 3)
                for event in events {
                    // The last foot lands outside the picture.
                    #expect(event.time > 4.8 || abs(event.confidence - 0.9) < 0.01, "\(event)")
                    #expect(abs(remainder(event.time - start, 1.1)) < 1 / 30, "\(event)")
                }
            }
        }
    }

    @Test func `a walk to the left has the same angles as one to the right`() throws {
        let right = MeasuredFigure.walking()
        var left = right
        left.joints = { time, figure in right.joints(time, figure).mapValues { SIMD2(-$0.x, $0.y) } }
        let (one, other) = (try measure(right, 4), try measure(left, 4))
        #expect(other.direction == "left")
        for name in ["Right knee", "Left hip", "Trunk", "Right shank"] {
            let values = zip(try #require(one.quantities[name]).values, try #require(other.quantities[name]).values)
            #expect(values.dropFirst(60).dropLast(60).allSatisfy { abs(($0 ?? 0) - ($1 ?? 99)) < 0.5 }, "\(name)")
        }
        #expect(abs((one.quantities["Trunk"]?.values[60] ?? 0) - 90) < 0.1)
    }

    /// Contacts of 0.2 s at 30 per second, and feet that shake by 2 cm: none is ever seen at rest.
    @Test func `a runner's floor is where the feet are slowest`() throws {
        var figure = MeasuredFigure.walking(speed: 3, stride: 0.56, stance: 0.36)
        let runner = figure.joints
        figure.rate = 30
        figure.joints = { time, figure in
            var joints = runner(time, figure)
            let shake = [0.012, 0, -0.012][Int((time * 30).rounded()) % 3]
            for key in [JointKey.leftHeel, .leftFootTip, .rightHeel, .rightFootTip] {
                joints[key]? += SIMD2(shake, shake)
            }
            return joints
        }
        let found = try measure(figure, 3)
        #expect(abs(try #require(found.floor).height - 0.15) < 0.01, "\(found.warnings)")
        let gait = try #require(found.tests.gait)
        #expect(abs(gait.cadence - 2 * 60 / 0.56) < 4 && gait.steps.count >= 3, "\(gait)")
    }

    @Test(arguments: [0.3, 0.5, 0.7]) func `a jump has the height of its flight`(flight: Double) throws {
        for rate in [30.0, 120] {
            var figure = MeasuredFigure.jumping(takeOff: 1.013, flight: flight)
            figure.rate = rate
            let found = try measure(figure, 3)
            let jump = try #require(found.tests.jumps?.first)
            let height = 9.80665 * flight * flight / 8
            #expect(found.tests.jumps?.count == 1 && found.tests.gait == nil)
            #expect(abs(jump.takeOff - 1.013) < 0.01 && abs(jump.flightTime - flight) < 0.02, "\(rate): \(jump)")
            #expect(abs(jump.heightByTime - height) < 0.02 && abs((jump.heightByRise ?? 0) - height) < 0.03)
            #expect(abs(jump.kneeAtLanding ?? 99) < 3)
        }
    }

    /// The feet rise so fast from the second frame on that they left the floor long before the first.
    @Test func `a jump that began before the recording is measured within it`() throws {
        let samples = (0..<40).map { index -> MeasuredTrack.Sample in
            let time = Double(index - 1) / 60
            let isUp = (1..<20).contains(index)
            let feet = isUp ? 0.55 + time - 4.9 * time * time : 0.05
            let hips = isUp ? 0.5 + 2 * time - 4.9 * time * time : 0.5
            let heights: [(JointKey, Double)] = [
                (.leftFootTip, feet), (.rightFootTip, feet), (.leftHip, hips), (.rightHip, hips),
            ]
            var joints: [JointKey: JointPoint] = [:]
            for (key, height) in heights {
                joints[key] = JointPoint(key, location: CGPoint(x: 0.5, y: height), confidence: 1)
            }
            return MeasuredTrack.Sample(Pose(from: joints), at: Double(index) / 60, aspectRatio: 1)
        }
        let track = try #require(MeasuredTrack(samples, aspectRatio: 1, confidence: 0))
        let jumps = JumpFinder(track)
        #expect(jumps.flights.contains { $0.takeOff < 0 })
        let hips = try #require(track.paths[.root]).y
        #expect(jumps.findings(track, centre: hips, knees: []).count == jumps.flights.count)
    }

    @Test func `a raised foot is neither floor nor jump`() throws {
        var figure = MeasuredFigure { time, figure in
            let ankle = SIMD2(0, 0.039 * figure.height)
            let isRaised = (1...3).contains(time)
            return figure.body(
                hips: SIMD2(0, figure.hips), left: ankle, right: isRaised ? ankle + SIMD2(0.8, 0.4) : ankle)
        }
        figure.tilt = 2
        let found = try measure(figure, 4)
        #expect(found.tests.jumps == nil)
        #expect(found.floor?.angle == 0 && found.warnings.contains { $0.contains("level") })
    }

    /// A person who stands for 2 s at each of three places: up a slope, and on one place at three heights.
    @Test(arguments: [([-1.0, 0, 1], "the floor rises by 17 degrees: feet"), ([0.0, 0, 0], "feet")])
    func `feet that rest at several heights make the floor doubtful`(_ places: [Double], _ words: String) throws {
        let found = try measure(
            MeasuredFigure { time, figure in
                let place = min(Int(time / 2), 2)
                return figure.standing(at: places[place], up: 0.3 * Double(place))
            }, 6)
        #expect(found.warnings.contains { $0.hasPrefix("\(words) may rest at several heights") }, "\(found.warnings)")
    }

    @Test func `five rises from a chair are counted and timed`() throws {
        let figure = MeasuredFigure.rising(at: [1, 3, 5, 7, 9], up: 1.5)
        let found = try measure(figure, 11)
        let test = try #require(found.tests.sitToStand)
        #expect(test.count == 5 && test.thirtySeconds == nil)
        #expect((0.5...0.65).contains(test.riseTime?.mean ?? 0))
        #expect((9.5...9.7).contains(test.fiveTimes ?? 0), "\(test)")
        #expect(found.events.allSatisfy { abs($0.confidence - 0.9) < 0.01 }, "\(found.events)")
        #expect(found.events.map(\.kind) == (0..<5).flatMap { _ in [MeasureEvent.Kind.stand, .sit] })
        #expect(found.warnings.contains { $0.hasPrefix("less than 30 s") }, "\(found.warnings)")
    }

    @Test func `rises within 30 s are counted in a recording that is long enough`() throws {
        var figure = MeasuredFigure.rising(at: (0..<14).map { 1 + 2.5 * Double($0) }, up: 1.5)
        figure.rate = 30
        let found = try measure(figure, 36)
        // The last that stands within 30 s of the first movement begins at 28.5 s.
        #expect(found.tests.sitToStand?.count == 14 && found.tests.sitToStand?.thirtySeconds == 12)
        #expect(!found.warnings.contains { $0.hasPrefix("less than 30 s") }, "\(found.warnings)")
    }

    @Test func `up and go has its phases`() throws {
        let found = try measure(.upAndGo(), 14, with: { $0.tests = [.upAndGo] })
        let test = try #require(found.tests.upAndGo, "\(found.warnings)")
        // From the first movement to rest on the seat; walking begins and ends with the smoothed speed of the hips.
        #expect(abs(test.total - 11.8) < 0.25 && abs(test.rise - 0.8) < 0.2, "\(test)")
        #expect(abs(test.walkOut - 4.1) < 0.5 && abs(test.walkBack - 3) < 0.5, "\(test)")
        #expect(abs(test.turn - 1.6) < 0.5 && abs(test.sitDown - 2.3) < 0.5, "\(test)")
        let phases = test.rise + test.walkOut + test.turn + test.walkBack + test.sitDown
        #expect(abs(phases - test.total) < 0.01, "\(test)")
        // Who only rises and sits has none.
        #expect(try measure(.rising(at: [1, 3], up: 1.5), 5).tests.upAndGo == nil)
    }

    @Test func `rises are found under a marked length, and a note says what a test lacks`() throws {
        let figure = MeasuredFigure.rising(at: [1, 3, 5, 7, 9], up: 1.5)
        for height in [nil, 1.8] {
            let found = try measure(figure, 11, with: { ($0.height, $0.metresPerUnit) = (height, 4) })
            #expect(found.scale?.method == "given" && found.tests.sitToStand?.count == 5)
        }
        let legs: Set<JointKey> = [
            .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftHeel, .rightHeel, .leftFootTip, .rightFootTip,
        ]
        for (metres, words) in [(nil, "there is no scale"), (4, "there is no height")] as [(Double?, String)] {
            let found = try measure(
                figure, 3, hiding: { legs.contains($1) },
                with: {
                    ($0.metresPerUnit, $0.height, $0.tests) = (metres, nil, [.sitToStand])
                    $0.floor = FloorLine(angle: 0, height: 0.15)
                })
            #expect(found.warnings.contains { $0.contains("sit-to-stand was not run: \(words)") }, "\(found.warnings)")
        }
    }

    /// A person who lifts the wrists by 0.6 m and 0.05 m to the right, along a cosine, at each of the times.
    private static func lifting(at starts: [Double], up: Double) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            var joints = figure.standing()
            let shares = starts.map { start -> Double in
                let (before, after) = (time - start, start + 2 * up + 0.5 - time)
                return min(max(0, min(before, after) / up), 1)
            }
            let share = shares.max() ?? 0
            let eased = (1 - cos(.pi * share)) / 2
            for key in [JointKey.leftWrist, .rightWrist] { joints[key] = SIMD2(0.3 + 0.05 * eased, 0.7 + 0.6 * eased) }
            return joints
        }
    }

    @Test func `lifts of a bar have a rise, a drift and speeds, and only where they are asked for`() throws {
        let figure = Self.lifting(at: [1, 4.5, 8], up: 1)
        let lifts = try #require(try measure(figure, 11, with: { $0.tests = [.barPath] }).tests.barPath)
        #expect(lifts.count == 3)
        for (lift, start) in zip(lifts, [1.0, 4.5, 8]) {
            #expect(abs(lift.rise - 0.6) < 0.005 && abs(lift.drift - 0.05) < 0.003, "\(lift)")
            // A cosine is at 2 % after 0.09 of its half period, and fastest at pi/2 times its mean.
            #expect(abs(lift.start - start - 0.09) < 0.04 && abs(lift.end - start - 0.91) < 0.04, "\(lift)")
            #expect(abs(lift.meanSpeed - 0.7) < 0.03 && abs(lift.peakSpeed - 0.942) < 0.02, "\(lift)")
        }
        #expect(try measure(figure, 11).tests.barPath == nil)
        let still = try measure(Self.lifting(at: [], up: 1), 4, with: { $0.tests = [.barPath] })
        #expect(still.tests.barPath == nil && still.warnings.contains { $0.contains("bar-path") })
    }

    @Test(arguments: [30.0, 120]) func `a sprint start has its set position and three steps, only where asked for`(
        rate: Double
    ) throws {
        var figure = MeasuredFigure.sprinting()
        figure.rate = rate
        let change: (inout MeasureOptions) -> Void = {
            ($0.metresPerUnit, $0.floor, $0.tests) = (4, FloorLine(angle: 0, height: 0.15), [.sprint])
        }
        let start = try #require(try measure(figure, 2.5, with: change).tests.sprint)
        #expect(abs(start.firstMovement - 1) < 0.04, "\(start)")
        // Both bones are half a leg long, so the distance of hips and ankle gives the knee.
        let reach = (0.1 * 0.1 + pow(0.65 - 0.039 * 1.8, 2)).squareRoot()
        let knee = 180 - 2 * asin(reach / (0.491 * 1.8)) * 180 / .pi
        #expect(start.angles.count == 5 && abs((start.angles["Trunk"] ?? 0) - 50) < 1, "\(start)")
        #expect(abs((start.angles["Left knee"] ?? 0) - knee) < 1, "\(start), \(knee)")
        #expect(start.steps.map(\.side) == ["right", "left", "right"])
        let truth = [(1.15, 1.35, 0.6, 0.35), (1.35, 1.6, 1.4, 0.53), (1.6, 1.8, 2.4, 0.64)]
        for (step, (off, contact, speed, length)) in zip(start.steps, truth) {
            #expect(abs(step.toeOff - off) < 0.035 && abs(step.contact - contact) < 0.025, "\(step)")
            #expect(abs(step.speed - speed) < 0.15 && abs(step.length - length) < 0.02, "\(step)")
        }
        let other = try measure(
            figure, 2.5,
            with: { options in
                change(&options)
                options.tests = []
            })
        #expect(other.tests.sprint == nil)
        // Somebody who walks has no start of a sprint.
        let walk = try measure(.walking(), 4, with: { $0.tests = [.sprint] })
        #expect(walk.tests.sprint == nil && walk.warnings.contains { $0.contains("sprint") })
    }

    @Test(arguments: [1.0, -1]) func `a drawn angle opens from its zero to the limb by its value`(ahead: Double) throws
    {
        var figure = MeasuredFigure.walking()
        let walk = figure.joints
        (figure.tilt, figure.joints) = (
            3, { time, figure in walk(time, figure).mapValues { SIMD2(ahead * $0.x, $0.y) } }
        )
        let found = try measure(figure, 4)
        for index in [60, 100, 140] {
            let arms = found.arms(at: index)
            #expect(
                Set(arms.map { $0.name.split(separator: " ").last }) == [
                    "ankle", "knee", "hip", "shoulder", "elbow", "Trunk",
                ])
            #expect(Set(arms.map { $0.name.split(separator: " ").first }).count == 2, "\(arms.map(\.name))")
            for angle in arms {
                let turn = atan2(
                    angle.zero.x * angle.limb.y - angle.zero.y * angle.limb.x, (angle.zero * angle.limb).sum())
                #expect(abs(abs(turn) * 180 / .pi - abs(angle.degrees)) < 0.1, "\(angle)")
                #expect(angle.degrees == found.quantities[angle.name]?.values[index])
            }
        }
        // A picture of the extreme shows a joint that is never bent more.
        let extreme = try #require(found.extreme.flatMap(found.index(at:)))
        let most = found.arms(at: extreme).filter { angle in
            let ends = found.ranges[angle.name].map { max(abs($0.minimum), abs($0.maximum)) }
            return angle.name != "Trunk" && abs(angle.degrees) == ends
        }
        #expect(!most.isEmpty)
    }

    @Test func `a person at rest sways little, and only then balance is measured by itself`() throws {
        let figure = MeasuredFigure { time, figure in figure.standing(at: 0.01 * sin(2 * .pi * 0.5 * time)) }
        let found = try measure(figure, 10)
        let balance = try #require(found.tests.balance)
        #expect(abs(balance.range - 0.02) < 0.001 && abs(balance.velocity - 0.02) < 0.001, "\(balance)")
        #expect(try measure(.walking(), 4).tests.balance == nil)
        let short = try measure(figure, 4, with: { $0.tests = [.balance] })
        let warning = "the test balance was not run: there is no period of standing of 5 s or more"
        #expect(short.warnings.contains(warning))
    }

    @Test func `a range leaves out the picture's edge and what lasts less than 0.1 s`() throws {
        let figure = MeasuredFigure { time, figure in
            let isLeaving = time >= 2.4
            var joints = figure.standing(at: isLeaving ? 3.3 : 0)
            // The toes are at the right edge and misread for 0.3 s.
            if isLeaving { joints[.rightFootTip]? += SIMD2(0.03, 0.2) }
            // Bent by 90 degrees and back within 2 s; three frames are misread later.
            let degrees = (2.1..<2.15).contains(time) ? 150 : 45 * (1 - cos(Double.pi * min(time, 2)))
            let bend = degrees * Double.pi / 180
            let forearm = SIMD2<Double>(sin(bend), -cos(bend)) * 0.26
            joints[.rightWrist] = joints[.rightElbow].map { $0 + forearm }
            return joints
        }
        let found = try measure(figure, 2.7, with: { $0.filter = .none })
        #expect((found.quantities["Right ankle"]?.values.compactMap(\.self).max() ?? 0) > 30)
        let (ankle, elbow) = (found.tests.range?["Right ankle"], found.tests.range?["Right elbow"])
        #expect(ankle.map { abs($0.minimum) < 1 && abs($0.maximum) < 1 } == true, "\(ankle as Any)")
        #expect(elbow.map { abs($0.minimum) < 1 && abs($0.maximum - 90) < 1 } == true, "\(elbow as Any)")
    }

    @Test(arguments: [(0.0, 2.0, false), (3.3, 2.0, true), (-3.3, 2.0, true), (3.3, 0.3, false)])
    func `a note says if joints are near the picture's edges for more than a fifth of the time`(
        place: Double, seconds: Double, isNoted: Bool
    ) throws {
        let figure = MeasuredFigure { time, figure in figure.standing(at: time < seconds ? place : 0) }
        #expect(try measure(figure, 2).warnings.contains { $0.contains("edges") } == isNoted)
    }

    /// At 15 frames a second, five are more than 0.3 s.
    @Test(arguments: [4, 5, 30]) func `a range needs five readings, and says how often the joint is seen`(
        readings: Int
    ) throws {
        var figure = MeasuredFigure { _, figure in figure.standing() }
        figure.rate = 15
        let found = try measure(
            figure, 3, hiding: { time, key in key == .leftWrist && time * 15 > Double(readings) - 0.5 },
            with: { $0.filter = .none })
        let range = found.tests.range?["Left elbow"]
        #expect((range == nil) == (readings < 5), "\(range as Any)")
        if let range {
            #expect(abs(range.seen - Double(readings) / 45) < 1e-6 && abs(range.confidence - 0.9) < 1e-6, "\(range)")
        }
        #expect(found.quantities["Left elbow"] != nil && found.tests.range?["Right elbow"]?.seen == 1)
    }

    @Test func `gaps are filled up to a length and have no confidence`() throws {
        let found = try measure(
            .walking(), 4,
            hiding: { time, key in
                key == .leftKnee && ((1..<1.1).contains(time) || (2..<2.5).contains(time))
            })
        let knee = try #require(found.quantities["Left knee"])
        #expect(knee.values[63] != nil && knee.confidence[63] == 0)
        #expect(knee.values[135] == nil && knee.confidence[135] == 0)
        #expect(knee.values[30] != nil && abs(knee.confidence[30] - 0.9) < 1e-6)
        // The neck has the confidence of the ears that give it.
        let ears: Set<JointKey> = [.leftEar, .rightEar]
        let turned = try measure(
            .walking(), 4,
            hiding: { time, key in
                (1..<1.1).contains(time) && ears.contains(key) || key == .leftEar && (2..<2.5).contains(time)
            })
        let neck = try #require(turned.quantities["Neck"])
        #expect(neck.values[63] != nil && neck.confidence[63] == 0)
        #expect(neck.values[135] != nil && abs(neck.confidence[135] - 0.9) < 1e-6)
        let raw = try measure(
            .walking(), 4, hiding: { time, key in key == .leftKnee && (1..<1.1).contains(time) },
            with: { $0.filter = .none })
        #expect(raw.quantities["Left knee"]?.values[63] == nil)
    }

    @Test func `a sample that the filter replaces has no confidence`() throws {
        let figure = MeasuredFigure { time, figure in
            var joints = figure.standing()
            if abs(time - 1) < 0.001 { joints[.leftKnee]? += SIMD2(0.5, 0) }
            return joints
        }
        let found = try measure(figure, 2)
        let knee = try #require(found.quantities["Left knee"])
        #expect(knee.confidence[60] == 0 && knee.values[60].map { abs($0) < 1 } == true)
        #expect(abs(knee.confidence[59] - 0.9) < 1e-6 && abs(knee.confidence[61] - 0.9) < 1e-6)
    }

    @Test func `joints have angular velocities, and the centre of mass a position`() throws {
        let found = try measure(.walking(), 4)
        let (knee, velocity) = (
            try #require(found.quantities["Right knee"]?.values), try #require(found.quantities["Right knee velocity"])
        )
        #expect(velocity.unit == "deg/s" && found.quantities["Right shank velocity"] == nil)
        #expect(found.quantities["Neck velocity"]?.unit == "deg/s")
        for index in [60, 90, 120, 150] {
            let change = (knee[index + 1] ?? .nan) - (knee[index - 1] ?? .nan)
            #expect(abs((velocity.values[index] ?? 0) - 30 * change) < 0.01 && velocity.confidence[index] > 0.8)
        }
        #expect(velocity.values.compactMap(\.self).contains { abs($0) > 50 })
        let (place, hips) = (found.quantities["mass position"]?.values, found.quantities["position"]?.values)
        let way = (place?[180] ?? 0) - (place?[60] ?? 0)
        #expect(abs(way - 2.6) < 0.1 && place?[60] != hips?[60], "\(way)")
    }

    @Test func `without feet the ankles stand in, without legs there are only angles`() throws {
        let feet: Set<JointKey> = [.leftHeel, .rightHeel, .leftFootTip, .rightFootTip]
        let found = try measure(.walking(), 5, hiding: { feet.contains($1) })
        #expect(abs((found.scale?.metresPerUnit ?? 0) / 4 - 1) < 0.01 && found.tests.gait != nil)
        #expect(found.quantities["Left ankle"] == nil && found.quantities["Left knee"] != nil)
        let legs: Set<JointKey> = feet.union([.leftKnee, .rightKnee, .leftAnkle, .rightAnkle])
        let upper = try measure(.walking(), 5, hiding: { legs.contains($1) })
        #expect(upper.scale == nil && upper.quantities["position"] == nil && upper.quantities["Left elbow"] != nil)
        #expect(upper.warnings.contains { $0.contains("no scale") })
    }

    @Test func `abduction is positive to both sides, and only from the front`() throws {
        let figure = MeasuredFigure { _, figure in
            var joints = figure.standing()
            let height = figure.height
            // The person faces the camera: the right side is on the picture's left.
            for (key, x) in [(JointKey.leftShoulder, 0.2), (.rightShoulder, -0.2), (.leftHip, 0.1), (.rightHip, -0.1)] {
                joints[key]?.x = x
            }
            let arm = 0.186 * height
            joints[.leftElbow] = SIMD2(0.2 + arm * sin(.pi / 3), (joints[.neck]?.y ?? 0) - arm * cos(.pi / 3))
            joints[.rightElbow] = SIMD2(-0.2 - arm, joints[.neck]?.y ?? 0)
            return joints
        }
        let found = try measure(figure, 2, with: { $0.view = nil })
        #expect(found.view == .front)
        #expect(abs((found.quantities["Left shoulder abduction"]?.values[20] ?? 0) - 60) < 0.5)
        #expect(abs((found.quantities["Right shoulder abduction"]?.values[20] ?? 0) - 90) < 0.5)
        #expect(found.quantities["Right knee"] == nil)
        #expect(found.tests.range?["Left shoulder abduction"].map { abs($0.maximum - 60) < 0.5 } == true)
        #expect(try measure(figure, 2).quantities["Left shoulder abduction"] == nil)
    }

    @Test func `a track longer than the limit says that it is cut`() {
        let samples = [0, 0.001, 0.002, 300].map { MeasuredTrack.Sample(Pose(from: [:]), at: $0, aspectRatio: 1) }
        #expect(MeasuredTrack(samples, aspectRatio: 1, confidence: 0)?.isCut == true)
        #expect(MeasuredTrack(samples.dropLast(), aspectRatio: 1, confidence: 0)?.isCut == false)
    }

    @Test func `the masses of a body are one`() {
        let figure = MeasuredFigure { _, figure in figure.standing() }
        let samples = figure.poses(1).map { MeasuredTrack.Sample($1, at: $0, aspectRatio: figure.aspectRatio) }
        let track = MeasuredTrack(samples, aspectRatio: figure.aspectRatio, confidence: 0.3)?
            .onFloor(FloorLine(angle: 0, height: 0.15), metresPerUnit: 4)
        let centre = track.map { CentreOfMass.path($0).y[10] } ?? 0
        // Between 0.55 and 0.58 of the height of a standing person: Winter (2009).
        #expect((0.54...0.59).contains(centre / figure.height), "\(centre / figure.height)")
    }

    @Test func `a marked length and a given floor replace the person's`() throws {
        let found = try measure(
            .walking(), 4,
            with: { ($0.height, $0.metresPerUnit, $0.floor) = (nil, 4.4, FloorLine(angle: 0, height: 0.1)) })
        #expect(found.scale?.metresPerUnit == 4.4 && found.scale?.method == "given" && found.floor?.height == 0.1)
        #expect(abs((found.tests.gait?.speed ?? 0) - 1.43) < 0.03)
    }
}
