@testable import KinemaMeasuring
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

/// What no body does is not measured: gait without steps, tests of another movement, values beyond any person.
struct PossibilityTests {
    private func measure(
        _ figure: MeasuredFigure, _ seconds: Double, with change: (inout MeasureOptions) -> Void = { _ in }
    ) throws -> BodyMeasurement {
        var options = MeasureOptions(height: figure.height)
        options.view = .side
        change(&options)
        let samples = figure.poses(seconds).map { time, pose in
            MeasuredTrack.Sample(pose, at: time, aspectRatio: figure.aspectRatio)
        }
        let track = try #require(
            MeasuredTrack(samples, aspectRatio: figure.aspectRatio, confidence: options.confidence))
        return BodyMeasurement(track, options)
    }

    /// A figure whose joints shake by up to a centimetre, differently in every frame.
    private func shaking(_ figure: MeasuredFigure, by metres: Double = 0.01) -> MeasuredFigure {
        let joints = figure.joints
        var shaken = figure
        shaken.joints = { time, figure in
            var random = RandomSource(seed: UInt64((time * 1000).rounded()))
            var places = joints(time, figure)
            for key in places.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                func shake() -> Double { Double.random(in: -metres...metres, using: &random) }
                places[key]? += SIMD2(shake(), shake())
            }
            return places
        }
        return shaken
    }

    /// Somebody who sits at a place at each time, feet on a rest.
    private static func rolling(along course: @escaping @Sendable (Double) -> Double) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            let ankle = SIMD2(course(time), 0.1)
            return figure.body(hips: SIMD2(course(time) - 0.42, 0.28 * figure.height), left: ankle, right: ankle)
        }
    }

    @Test(arguments: [30.0, 60]) func `who sits and is pushed has no gait, and the reason is stated`(rate: Double)
        throws
    {
        var chair = shaking(Self.rolling { $0 - 2 })
        chair.rate = rate
        var pushes = shaking(Self.rolling { 0.6 * $0 - 1.5 + 0.1 * sin(2 * .pi * $0) })
        pushes.rate = rate
        for figure in [chair, pushes] {
            let found = try measure(figure, 4)
            #expect(found.tests.gait == nil && found.events.isEmpty, "\(found.tests)")
            #expect(found.warnings.contains { $0.contains("there is no gait") }, "\(found.warnings)")
            #expect(!found.warnings.contains { $0.contains("stays in one place") })
        }
        // Steps with the same noise are steps.
        var walk = shaking(.walking())
        walk.rate = rate
        let gait = try #require(try measure(walk, 5).tests.gait)
        #expect(abs(gait.cadence - 2 * 60 / 1.1) < 3, "\(gait)")
    }

    @Test func `who rides has feet that never rest, and no gait`() throws {
        let rider = MeasuredFigure { time, figure in
            let (hips, turn) = (SIMD2(4 * (time - 1), 1.0), 2 * Double.pi * 1.4 * time)
            func pedal(_ phase: Double) -> SIMD2<Double> {
                hips + SIMD2(0.1 + 0.17 * cos(-turn + phase), -0.65 + 0.17 * sin(-turn + phase))
            }
            return figure.body(hips: hips, left: pedal(0), right: pedal(.pi))
        }
        let found = try measure(
            rider, 1.6, with: { ($0.metresPerUnit, $0.floor) = (4, FloorLine(angle: 0, height: 0.1)) })
        #expect(found.tests.gait == nil, "\(String(describing: found.tests.gait))")
    }

    @Test func `a speed that no one runs is left out with the steps' length, and the cadence stays`() throws {
        let found = try measure(.walking(), 5, with: { ($0.height, $0.metresPerUnit) = (nil, 60) })
        let gait = try #require(found.tests.gait)
        #expect(gait.speed == nil && gait.stepLength == nil && abs(gait.cadence - 2 * 60 / 1.1) < 1)
        #expect(found.warnings.contains { $0.hasPrefix("a walking speed of") && $0.contains("not possible") })
    }

    @Test func `a jump that no one jumps is left out`() throws {
        var figure = MeasuredFigure.jumping(takeOff: 1, flight: 1.2)
        figure.metresPerUnit = 6
        let found = try measure(figure, 3.5)
        #expect(found.tests.jumps?.isEmpty != false && !found.events.contains { $0.kind == .takeOff }, "\(found.tests)")
        #expect(
            found.warnings.contains { $0.hasPrefix("a flight at") && $0.contains("not possible") }, "\(found.warnings)")
    }

    @Test(arguments: [
        ("Left knee", 200.0, false), ("Left knee", 150, true), ("Right hip abduction", 150, false),
        ("Right hip", 150, true), ("Left foot", 500, true),
    ]) func `a range is possible or not by its joint`(angle: String, degrees: Double, isPossible: Bool) {
        #expect((BodyLimits.range(of: angle)?.contains(degrees) ?? true) == isPossible)
    }

    /// Somebody whose hips stay, and whose feet move as on a belt.
    private static func onTreadmill(_ speed: Double = 1.3, stride: Double = 1.1) -> MeasuredFigure {
        let walk = MeasuredFigure.stepping(stride: stride) { speed * $0 }
        return MeasuredFigure { time, figure in
            walk.joints(time, figure).mapValues { SIMD2($0.x - speed * time, $0.y) }
        }
    }

    @Test func `on a treadmill there are steps and no balance, and its speed gives length and speed`() throws {
        let figure = Self.onTreadmill()
        let found = try measure(figure, 8)
        let gait = try #require(found.tests.gait, "\(found.warnings)")
        #expect(abs(gait.cadence - 2 * 60 / 1.1) < 2 && gait.speed == nil && gait.stepLength == nil)
        #expect(found.tests.balance == nil && found.warnings.contains { $0.contains("--treadmill") })
        let known = try #require(try measure(figure, 8, with: { $0.treadmill = 1.3 }).tests.gait)
        #expect(abs(known.cadence - 2 * 60 / 1.1) < 2 && abs((known.speed ?? 0) - 1.3) < 0.03)
        #expect(abs((known.stepLength?.mean ?? 0) - 0.715) < 0.03 && abs((known.stance?.mean ?? 0) - 0.6) < 0.05)
    }

    @Test func `who pedals in one place neither walks nor stands`() throws {
        let figure = MeasuredFigure { time, figure in
            let (hips, turn) = (SIMD2(0, 1.0), 2 * Double.pi * 1.4 * time)
            func pedal(_ phase: Double) -> SIMD2<Double> {
                hips + SIMD2(0.1 + 0.17 * cos(turn + phase), -0.65 + 0.17 * sin(turn + phase))
            }
            return figure.body(hips: hips, left: pedal(0), right: pedal(.pi))
        }
        let found = try measure(
            figure, 8, with: { ($0.metresPerUnit, $0.floor) = (4, FloorLine(angle: 0, height: 0.1)) })
        #expect(found.tests.gait == nil && found.tests.balance == nil, "\(found.tests)")
    }

    @Test func `steps at the picture's edge and at the recording's end say why they have no length`() throws {
        var figure = MeasuredFigure.walking()
        let whole = try measure(figure, 5)
        let steps = try #require(whole.tests.gait?.steps)
        #expect(steps.allSatisfy { ($0.length == nil) == ($0.unseen != nil) }, "\(steps)")
        #expect(steps.last?.unseen == "the recording ends before the foot rests", "\(steps)")
        #expect(!whole.warnings.contains { $0.contains("out of view") })
        // The picture ends at the feet for the first second and a half.
        let joints = figure.joints
        figure.joints = { time, figure in
            joints(time, figure).filter { time > 1.5 || !$0.key.rawValue.hasPrefix("leftHeel") && $0.key != .leftAnkle }
        }
        let cut = try measure(figure, 5)
        let warning = cut.warnings.first { $0.contains("out of view") }
        #expect(warning?.contains("left from 0.0 to 1.5 s") == true, "\(cut.warnings)")
        #expect((cut.tests.gait?.steps.count ?? 0) < steps.count)
    }

    @Test func `a jump that is cut off is named with what is missing`() throws {
        let figure = MeasuredFigure.jumping(takeOff: 1, flight: 0.5)
        let cut = try measure(figure, 1.3)
        #expect(cut.tests.jumps?.isEmpty != false)
        #expect(
            cut.warnings.contains { $0.contains("not measured: the landing is after the recording") }, "\(cut.warnings)"
        )
        let whole = try measure(figure, 3)
        #expect(whole.tests.jumps?.count == 1 && !whole.warnings.contains { $0.contains("not measured") })
    }

    @Test func `hops on one leg are all counted`() throws {
        let figure = MeasuredFigure { time, figure in
            let (start, period, flight) = (1.5, 0.6, 0.3)
            let number = ((time - start) / period).rounded(.down)
            let t = time - start - number * period
            let isHop = (0..<8).contains(number) && (0...flight).contains(t)
            let up = isHop ? 9.80665 / 2 * t * (flight - t) : 0
            let right = SIMD2(0, 0.039 * figure.height + up)
            let isHeld = time > 1 && time < start + 8 * period + 0.2
            let left = isHeld ? right + SIMD2(-0.35, 0.3) : right
            return figure.body(hips: SIMD2(0, figure.hips + up), left: left, right: right)
        }
        let found = try measure(figure, 8)
        #expect(found.tests.jumps?.count == 8, "\(String(describing: found.tests.jumps?.map(\.takeOff)))")
        for jump in found.tests.jumps ?? [] { #expect(abs(jump.flightTime - 0.3) < 0.03, "\(jump)") }
    }

    /// Feet that circle under hips which move along, or stay for a speed of 0.
    private static func pedalling(
        _ speed: Double, perMinute: Double, around centre: SIMD2<Double> = SIMD2(0.1, -0.56),
        by crank: SIMD2<Double> = SIMD2(0.17, 0.17)
    ) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            let (hips, turn) = (SIMD2(speed * (time - 2), 1.0), 2 * Double.pi * perMinute / 60 * time)
            func pedal(_ phase: Double) -> SIMD2<Double> {
                hips + centre + SIMD2(crank.x * cos(phase - turn), crank.y * sin(phase - turn))
            }
            return figure.body(hips: hips, left: pedal(0), right: pedal(.pi))
        }
    }

    /// Somebody on a seat at a height, whose feet swing or push in turn.
    private static func seated(_ speed: Double, at height: Double, pushing: Bool) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            let hips = SIMD2(speed * (time - 3), height)
            func foot(_ phase: Double) -> SIMD2<Double> {
                guard pushing else {
                    return hips + SIMD2(0.4 + 0.12 * sin(2 * .pi * (time + phase)), 0.039 * figure.height - 0.4)
                }
                let stride = (time / 1.2 + phase).rounded(.down)
                let share = time / 1.2 + phase - stride
                let (rest, way) = (speed * 1.2 * (stride - phase), speed * 1.2)
                let swing = max(0, (share - 0.6) / 0.4)
                let eased = swing * swing * (3 - 2 * swing)
                return SIMD2(rest + eased * way - 3 * speed + 0.52, 0.039 * figure.height + 0.06 * sin(.pi * swing))
            }
            return figure.body(hips: hips, left: foot(0), right: foot(0.5))
        }
    }

    /// Crutches: both feet swing past the hips together.
    private static func onCrutches() -> MeasuredFigure {
        MeasuredFigure { time, figure in
            let (whole, part) = ((time / 1.6).rounded(.down), time / 1.6 - (time / 1.6).rounded(.down))
            let share = max(0, 2 * part - 1)
            let eased = share * share * (3 - 2 * share)
            let foot = SIMD2(0.6 * (whole + eased) - 1.8, 0.039 * figure.height + 0.1 * sin(.pi * share))
            return figure.body(hips: SIMD2(0.375 * time - 1.95, figure.hips - 0.04), left: foot, right: foot)
        }
    }

    /// Feet that land beneath the hips.
    private static func climbing() -> MeasuredFigure {
        MeasuredFigure { time, figure in
            func foot(_ offset: Double) -> SIMD2<Double> {
                let phase = time / 1.4 + offset
                let (whole, part) = (phase.rounded(.down), phase - phase.rounded(.down))
                let share = min(1, 2 * part)
                let eased = share * share * (3 - 2 * share)
                return SIMD2(
                    0.56 * (whole - offset - 0.5 + eased) - 1.5, 0.039 * figure.height + 0.15 * sin(.pi * share))
            }
            let hips = SIMD2(0.4 * time - 1.5, figure.hips - 0.1)
            return figure.body(hips: hips, left: foot(0), right: foot(0.5))
        }
    }

    private static let without:
        [(what: String, figure: MeasuredFigure, seconds: Double, floor: Double?, reason: String)] = [
            ("a low gear", pedalling(1.5, perMinute: 60), 4, 0.1, "the feet do not rest"),
            ("a fast pedal", pedalling(0.7, perMinute: 80), 6, 0.1, "the feet do not rest"),
            ("a child's bicycle", pedalling(1.7, perMinute: 90), 3, 0.1, "the feet do not rest"),
            ("a chairlift", seated(0.8, at: 1.5, pushing: false), 6, nil, "the person sits"),
            ("a chair pushed by the feet", seated(0.35, at: 0.48, pushing: true), 8, nil, "the person sits"),
            (
                "an elliptical trainer", pedalling(0, perMinute: 60, by: SIMD2(0.25, 0.1)), 15, 0.1,
                "lowest only in passing"
            ),
            ("crutches", onCrutches(), 9, nil, "both feet land together"),
            ("stairs", climbing(), 7, nil, "the feet land beneath them, as on stairs"),
        ]

    @Test(arguments: 0..<8) func `what is no gait has a reason`(number: Int) throws {
        let (what, figure, seconds, floor, reason) = Self.without[number]
        for noise in [0.0, 0.006] {
            let found = try measure(
                shaking(figure, by: noise), seconds,
                with: { options in
                    options.metresPerUnit = 4
                    options.floor = floor.map { FloorLine(angle: 0, height: $0) }
                })
            #expect(found.tests.gait == nil, "\(what): \(String(describing: found.tests.gait))")
            let words = found.warnings.filter { $0.hasSuffix("there is no gait") }
            #expect(words.count == 1 && words[0].contains(reason), "\(what): \(found.warnings)")
        }
    }

    /// Metres per second, and seconds of a stride: patients after a stroke, and a shuffle.
    @Test(arguments: [(0.15, 3.0, 0.0), (0.15, 3, 0.006), (0.2, 2.5, 0.006), (0.28, 2.1, 0.01), (0.29, 1.0, 0.006)])
    func `who walks slowly is measured`(speed: Double, stride: Double, noise: Double) throws {
        var figure = shaking(.walking(speed: speed, stride: stride, stance: 0.75, seconds: 16), by: noise)
        figure.rate = 30
        let gait = try #require(try measure(figure, 16).tests.gait)
        #expect(abs((gait.speed ?? 0) / speed - 1) < 0.05 && abs(gait.cadence * stride / 120 - 1) < 0.03, "\(gait)")
        #expect(abs((gait.stepLength?.mean ?? 0) - speed * stride / 2) < 0.02, "\(gait)")
        #expect(gait.steps.count >= Int(30 / stride) - 4, "\(gait.steps.count)")
    }

    /// Rises of the heels, and low hops, for as long as the recording lasts.
    private static func bobbing(up course: @escaping @Sendable (Double) -> Double) -> MeasuredFigure {
        MeasuredFigure { time, figure in figure.standing(up: course(time)) }
    }

    /// Somebody who stands and whose arms turn to an angle in radians from hanging.
    private static func moving(arms angle: @escaping @Sendable (Double) -> Double) -> MeasuredFigure {
        MeasuredFigure { time, figure in
            var joints = figure.standing(at: 0.01 * sin(1.3 * time))
            guard let neck = joints[.neck] else { return joints }
            let way = SIMD2(sin(angle(time)), -cos(angle(time)))
            for key in [JointKey.leftElbow, .rightElbow] { joints[key] = neck + 0.186 * figure.height * way }
            for key in [JointKey.leftWrist, .rightWrist] { joints[key] = neck + 0.332 * figure.height * way }
            return joints
        }
    }

    @Test func `who exercises on the spot has no balance test, and who lifts the arms once has one`() throws {
        let heels = Self.bobbing { 0.045 * (1 - cos(2 * .pi * $0 / 1.4)) }
        let rope = Self.bobbing { time in
            let t = time.truncatingRemainder(dividingBy: 0.42)
            return max(0, 9.80665 / 2 * t * (0.21 - t))
        }
        for figure in [heels, rope, Self.moving { 2 * .pi * $0 / 1.5 }] {
            #expect(try measure(figure, 15).tests.balance == nil)
            #expect(try measure(figure, 15, with: { $0.tests = [.balance] }).tests.balance != nil)
        }
        let once = Self.moving { 1.4 * min(max(0, $0 - 5), 1) }
        #expect(try measure(shaking(once, by: 0.005), 15).tests.balance != nil)
    }

    @Test func `arms that circle have a range, which no turn of the count falsifies`() throws {
        let found = try measure(Self.moving { 2 * .pi * $0 / 1.5 }, 15)
        let range = try #require(found.tests.range?["Left shoulder"], "\(found.warnings)")
        #expect(range.maximum - range.minimum > 330 && range.minimum > -140 && range.maximum < 270, "\(range)")
        #expect(!found.warnings.contains { $0.contains("is left out") }, "\(found.warnings)")
        let speeds = (found.quantities["Left shoulder velocity"]?.values ?? []).compactMap(\.self)
        #expect(speeds.count > 800 && speeds.allSatisfy { abs(abs($0) - 240) < 30 })
    }
}
