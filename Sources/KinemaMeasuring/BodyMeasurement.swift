import Foundation
package import KinemaCore

/// Everything measured for one person: scale, floor, time series, events and tests.
package struct BodyMeasurement: Sendable {
    package private(set) var times: [Double]
    package private(set) var view: MeasureView
    /// "left", "right" or "none".
    package private(set) var direction = "none"
    package private(set) var scale: (metresPerUnit: Double, spread: Double, frames: Int, method: String)?
    package private(set) var floor: FloorLine?
    package private(set) var quantities: [String: MeasuredQuantity] = [:]
    package private(set) var events: [MeasureEvent] = []
    package private(set) var tests = MeasureTests()
    /// The range of each angle, by its name, in degrees.
    package private(set) var ranges: [String: RangeFinding] = [:]
    package private(set) var warnings: [String] = []
    /// The time ranges of each side's strides, or of the repetitions under an empty name, for a chart of their mean.
    package private(set) var cycles: [String: [ClosedRange<Double>]] = [:]
    /// The joints in the picture after the filter.
    let track: MeasuredTrack
    /// The joints that each angle needs.
    private(set) var joints: [String: [JointKey]] = [:]
    /// Metres: as stated, or measured with a marked scale; nil if neither.
    private var bodyHeight: Double?
    /// The angles that a drawing shows.
    private(set) var drawn: [String] = []

    /// The joints in metres on the floor, for motion-capture files; nil without a scale.
    package var positions: [[JointKey: SIMD2<Double>]]? {
        guard let scale, let floor else { return nil }
        let metres = track.onFloor(floor, metresPerUnit: scale.metresPerUnit)
        return (0..<metres.count).map { index in metres.paths.compactMapValues { $0[index] } }
    }

    /// The change of size along the path from which it is reported: a step towards the camera by a twentieth of the
    /// distance.
    private static let reportedChange = 0.08
    /// The spread of the scale from which it is reported: the height error of rendered figures without perspective.
    private static let reportedSpread = 0.04
    /// The share of frames near the picture's edges from which it is reported.
    private static let reportedEdgeShare = 0.2
    /// Degrees of the floor, and leg lengths by which feet miss it, from which it is doubted: no camera is that tilted.
    private static let (steepest, farthest) = (10.0, 0.1)
    /// The most stretches without a foot that a warning lists.
    private static let mostNamed = 3
    /// Metres; shorter paths have no direction.
    private static let leastWay = 0.5
    /// Metres per second; below this a person is standing.
    private static let standingSpeed = 0.1
    /// Metres that hips, knees and ankles of a standing person stay within, along the floor and up: more than anyone
    /// sways without a step (limits of stability, about 0.2 of the foot's length each way), less than any exercise; and
    /// less than a rise of the heels (0.06 to 0.1; Hébert-Losier et al., J Electromyogr Kinesiol 19, 2009) or a hop.
    private static let standingExtent = SIMD2(0.15, 0.04)
    /// Metres per second: the usual speed of the wrists, relative to the neck, from which the arms exercise. Arms that
    /// balance the body move so only now and then.
    private static let exercisingArms = 0.3

    package init(_ raw: MeasuredTrack, _ options: MeasureOptions) {
        let isFiltered = options.filter != .none
        let clean = isFiltered ? raw.cleaned(longestGap: options.longestGap) : raw
        var track = clean
        times = raw.times
        let found = options.view ?? ViewFinder.view(clean)
        view = found ?? .oblique
        if case .butterworth(let cutOff) = options.filter {
            track = clean.filtered(cutOff)
            if cutOff >= 0.49 * raw.rate {
                warnings.append("the recording has too few frames per second for a filter of \(cutOff.text(1)) Hz")
            }
        }
        self.track = track
        findFloor(track, options)
        let scale = findScale(clean, options)
        if found == nil { warnings.append("no shoulders and hips are visible, so the view is unknown") }
        if track.edgeShare > Self.reportedEdgeShare {
            warnings.append("the person is near the picture's edges, where lenses distort, which is not corrected")
        }
        let floor = floor ?? FloorLine(angle: 0, height: 0)
        let angles = ViewAngles.all(track.onFloor(floor, metresPerUnit: 1), view: view)
        for angle in angles {
            let confidence = (0..<track.count).map { angle.confidence(in: track, $0) }
            joints[angle.name] = angle.joints
            let bounds = BodyLimits.range(of: angle.name)
            add(angle.name, "deg", angle.values.map { $0 ?? .nan }, confidence, within: bounds)
            ranges[angle.name] = possible(angle.range(in: track), of: angle.name, bounds)
            if angle.isJoint {
                let course = JointAngles.unwrapped(angle.values).map { $0 ?? .nan }
                add(
                    "\(angle.name) velocity", "deg/s", SignalFilter.derivative(course, rate: track.rate), confidence,
                    within: BodyLimits.angularVelocity)
            }
        }
        if angles.isEmpty {
            let reason = view == .oblique ? "the person is seen obliquely" : "no angle has all its joints visible"
            warnings.append(
                "\(reason): there are no angles and no MOT file; angles need a view from the side or the front "
                    + "(--view)")
        }
        if let scale, self.floor != nil {
            let metres = track.onFloor(floor, metresPerUnit: scale)
            measure(metres, clean.onFloor(floor, metresPerUnit: scale), options)
        }
        if wants(.range, options, unless: angles.isEmpty) { tests.range = ranges }
        events.sort { $0.time < $1.time }
        drawn = Self.drawn(joints, quantities, view)
        warnAboutTests(options)
    }

    private func wants(_ test: MeasureTest, _ options: MeasureOptions, unless absent: Bool = false) -> Bool {
        options.tests.isEmpty ? !absent : options.tests.contains(test)
    }

    private mutating func findFloor(_ track: MeasuredTrack, _ options: MeasureOptions) {
        if let given = options.floor {
            floor = given
            return
        }
        guard let found = FloorFinder(track).line(aspectRatio: track.aspectRatio) else {
            warnings.append("no foot rests on the floor in view: give the floor with --floor")
            return
        }
        floor = found.floor
        let isSteep = abs(found.floor.angle) > Self.steepest
        if isSteep || found.spread > Self.farthest {
            let slope = isSteep ? "the floor rises by \(found.floor.angle.text(0)) degrees: " : ""
            warnings.append(
                slope + "feet may rest at several heights: give the floor with --floor, or choose another --person")
        }
        if found.isLevel {
            let reason = staysInPlace(track) ? "the person stays in one place" : "no foot rests at two places"
            warnings.append("\(reason): the floor is assumed level (set it with --floor)")
        }
    }

    /// Whether the hips are always within half a leg of their usual place.
    private func staysInPlace(_ track: MeasuredTrack) -> Bool {
        guard let course = track.paths[.root]?.x.filter(\.isFinite), let leg = FloorFinder(track).leg,
            let low = course.quantile(0.02), let high = course.quantile(0.98)
        else { return false }
        return high - low < leg
    }

    private mutating func findScale(_ track: MeasuredTrack, _ options: MeasureOptions) -> Double? {
        let found: BodyScale? =
            if let given = options.metresPerUnit {
                BodyScale(given: given)
            } else {
                options.height.flatMap { BodyScale(track, height: $0, tilt: floor?.angle ?? 0) }
            }
        guard let found else {
            warnings.append("trunk, head and a leg are never visible together: there is no scale, only angles")
            return nil
        }
        scale = (found.metresPerUnit, found.spread, found.frames, found.method)
        if found.method == "segments" {
            warnings.append("the person never stands upright: the scale is that of the longest segments")
        }
        if found.change > Self.reportedChange {
            warnings.append(
                "the person's size changes by \((100 * found.change).text(1)) %: lengths in metres hold at the mean distance "
                    + "from the camera")
        }
        if found.spread > Self.reportedSpread {
            warnings.append("the scale is uncertain by \((100 * found.spread).text(1)) %")
        }
        return found.metresPerUnit
    }

    private mutating func measure(_ track: MeasuredTrack, _ raw: MeasuredTrack, _ options: MeasureOptions) {
        let centre = CentreOfMass.path(track)
        let root = track.paths[.root] ?? centre
        add("position", "m", root.x, root.confidence)
        add("mass position", "m", centre.x, centre.confidence)
        add("height", "m", centre.y, centre.confidence)
        let speed = SignalFilter.derivative(root.x, rate: track.rate)
        let bounds = -BodyLimits.speed.upperBound...BodyLimits.speed.upperBound
        add("speed", "m/s", speed, root.confidence, within: bounds)
        let rising = SignalFilter.derivative(centre.y, rate: track.rate)
        add("vertical speed", "m/s", rising, centre.confidence, within: bounds)
        let known = root.x.filter(\.isFinite)
        if let first = known.first, let last = known.last, abs(last - first) > Self.leastWay {
            direction = last > first ? "right" : "left"
        }
        // With a marked scale, the measured body length is the height.
        bodyHeight = options.height ?? BodyScale(raw, height: 1, tilt: 0).map { 1 / $0.metresPerUnit }
        let gait = measureGait(raw, options)
        let jumps = JumpFinder(raw)
        if wants(.jump, options, unless: jumps.flights.isEmpty) {
            let knees = ["Left knee", "Right knee"].compactMap { quantities[$0]?.values }
            let height = CentreOfMass.path(raw).y
            let found = jumps.findings(raw, centre: height, knees: knees)
            let kept = found.indices.filter { isPossible(found[$0]) }
            tests.jumps = kept.map { found[$0] }
            events += jumps.events(raw, at: kept)
        }
        // Every step of a runner is a flight.
        if tests.gait == nil, wants(.jump, options) {
            warnings += jumps.missed.map { "a jump at \(raw.times[$0.index].text(2)) s is not measured: \($0.reason)" }
        }
        if options.tests.contains(.barPath), let bar = BarPath(track) {
            add("bar position", "m", bar.path.x, bar.path.confidence)
            add("bar height", "m", bar.path.y, bar.path.confidence)
            add("bar speed", "m/s", bar.speed, bar.path.confidence)
            if !bar.lifts.isEmpty { tests.barPath = bar.lifts }
            cycles[""] = bar.lifts.map { $0.start...$0.end }
        }
        if options.tests.contains(.sprint) { tests.sprint = SprintFinder(raw)?.finding(quantities) }
        measureStanding(track, options, gait, centre)
    }

    /// The steps, on the floor or on a treadmill.
    private mutating func measureGait(_ raw: MeasuredTrack, _ options: MeasureOptions) -> GaitFinder {
        var gait = GaitFinder(raw, height: bodyHeight)
        var belt = options.treadmill.map { Treadmill(speed: $0, under: raw) }
        if belt == nil, gait.bouts.isEmpty { belt = Treadmill(under: raw) }
        if belt != nil { gait = GaitFinder(raw, height: bodyHeight, on: belt) }
        guard wants(.gait, options) else { return gait }
        guard var finding = gait.finding else {
            if let reason = gait.objection {
                warnings.append("the hips \(belt == nil ? "move along" : "stay"), but \(reason): there is no gait")
            } else if belt == nil, let reason = Treadmill.objection(under: raw) {
                warnings.append("the feet move in turn, but \(reason): there is no gait")
            }
            return gait
        }
        if let reason = BodyLimits.objection("a cadence", finding.cadence, BodyLimits.cadence, "steps/min") {
            warnings.append("the gait with \(reason)")
            return gait
        }
        if let reason = BodyLimits.objection("a walking speed", finding.speed, BodyLimits.speed, "m/s") {
            (finding.speed, finding.stepLength) = (nil, nil)
            warnings.append(reason)
        }
        let length = finding.stepLength?.mean
        if let reason = BodyLimits.objection("a step length", length, BodyLimits.stepLength, "m") {
            finding.stepLength = nil
            warnings.append(reason)
        }
        if let belt, belt.speed == nil {
            warnings.append(
                "the person walks in one place, as on a treadmill: give its speed with --treadmill for speed and step length"
            )
        }
        tests.gait = finding
        let hidden = gait.hidden.map { "\($0.side) from \($0.from.text(1)) to \($0.to.text(1)) s" }
        if !hidden.isEmpty {
            let more = hidden.count > Self.mostNamed ? " and more" : ""
            warnings.append(
                "a foot is out of view or hidden (\(hidden.prefix(Self.mostNamed).joined(separator: ", "))\(more)): "
                    + "steps there are not measured")
        }
        events += gait.events
        for side in LimbJoints.both {
            cycles[side.name] = gait.strides(of: side.name).map {
                raw.time($0.lowerBound)...raw.time($0.upperBound)
            }
        }
        return gait
    }

    private mutating func isPossible(_ jump: JumpFinding) -> Bool {
        let moment = "at \(jump.takeOff.text(2)) s"
        let reasons = [
            BodyLimits.objection("a flight \(moment)", jump.flightTime, BodyLimits.flight, "s"),
            BodyLimits.objection("a jump \(moment)", jump.heightByTime, BodyLimits.jump, "m"),
        ].compactMap(\.self)
        warnings += reasons.prefix(1)
        return reasons.isEmpty
    }

    private mutating func possible(
        _ range: RangeFinding?, of angle: String, _ bounds: ClosedRange<Double>?
    ) -> RangeFinding? {
        guard let range, let bounds else { return range }
        let reasons = [range.minimum, range.maximum].compactMap { end in
            BodyLimits.objection("the range of \(angle) with an end", end, bounds, "degrees")
        }
        warnings += reasons.prefix(1)
        return reasons.isEmpty ? range : nil
    }

    private mutating func measureStanding(
        _ track: MeasuredTrack, _ options: MeasureOptions, _ gait: GaitFinder, _ centre: JointPath
    ) {
        if let height = bodyHeight {
            let chair = ChairFinder(track, height: height)
            // A squat begins standing.
            let isSeen = chair.startsSeated && !chair.rises.isEmpty
            if wants(.sitToStand, options, unless: !isSeen), let finding = chair.finding {
                tests.sitToStand = finding
                if finding.thirtySeconds == nil {
                    warnings.append("less than 30 s follow the first rise: there is no count for 30 s")
                }
                events += chair.events
                cycles[""] = chair.rises.compactMap { rise in rise.sit.map { track.times[rise.start]...track.times[$0] }
                }
            }
            if wants(.upAndGo, options, unless: !chair.startsSeated) { tests.upAndGo = chair.upAndGo(gait) }
        }
        if wants(.balance, options, unless: tests.jumps?.isEmpty == false || !standsStill(track)) {
            tests.balance = BalanceFinding(centre, rate: track.rate)
        }
    }

    /// Whether the person stands, and neither hips nor legs move.
    private func standsStill(_ track: MeasuredTrack) -> Bool {
        guard let root = track.paths[.root] else { return false }
        let speeds = SignalFilter.derivative(root.x, rate: track.rate).filter(\.isFinite).map { abs($0) }
        guard (speeds.quantile(0.95) ?? 1) < Self.standingSpeed else { return false }
        let heights = root.y.filter(\.isFinite)
        if let height = bodyHeight, !heights.isEmpty, heights.median < ChairFinder.stand * height { return false }
        let joints = [JointKey.root] + LimbJoints.both.flatMap { [$0.knee, $0.ankle] }
        return joints.compactMap { track.paths[$0] }.allSatisfy { path in
            zip([path.x, path.y], [Self.standingExtent.x, Self.standingExtent.y]).allSatisfy { course, limit in
                let known = course.filter(\.isFinite)
                guard let low = known.quantile(0.05), let high = known.quantile(0.95) else { return true }
                return high - low < limit
            }
        } && !exercisesArms(track)
    }

    private func exercisesArms(_ track: MeasuredTrack) -> Bool {
        guard let neck = track.paths[.neck] else { return false }
        let paces = LimbJoints.both.compactMap { side in
            track.paths[side.wrist].map { wrist in
                let across = SignalFilter.derivative(zip(wrist.x, neck.x).map { $0 - $1 }, rate: track.rate)
                let up = SignalFilter.derivative(zip(wrist.y, neck.y).map { $0 - $1 }, rate: track.rate)
                return zip(across, up).map { hypot($0, $1) }.filter(\.isFinite).median
            }
        }
        return !paces.isEmpty && paces.reduce(0, +) / Double(paces.count) > Self.exercisingArms
    }

    /// Adds a quantity; values outside the bounds of the possible are left out.
    private mutating func add(
        _ name: String, _ unit: String, _ values: [Double], _ confidence: [Double],
        within bounds: ClosedRange<Double>? = nil
    ) {
        let values = values.map { value in bounds.map { $0.contains(value) } == false ? .nan : value }
        guard values.contains(where: \.isFinite) else { return }
        quantities[name] = MeasuredQuantity(
            unit: unit, values: values.map { $0.isFinite ? $0 : nil },
            confidence: zip(values, confidence).map { $0.isFinite ? $1 : 0 })
    }

    private mutating func warnAboutTests(_ options: MeasureOptions) {
        let made: [MeasureTest: Bool] = [
            .gait: tests.gait != nil, .jump: tests.jumps?.isEmpty == false, .sitToStand: tests.sitToStand != nil,
            .upAndGo: tests.upAndGo != nil, .balance: tests.balance != nil, .range: tests.range?.isEmpty == false,
            .barPath: tests.barPath != nil, .sprint: tests.sprint != nil,
        ]
        for test in MeasureTest.allCases where options.tests.contains(test) && made[test] == false {
            warnings.append(
                missing(for: test).map { "the test \(test.rawValue) was not run: there is no \($0)" }
                    ?? "the movement of the test \(test.rawValue) was not found")
        }
    }

    /// What a test needs that the recording lacks; nil if the test ran and found nothing.
    private func missing(for test: MeasureTest) -> String? {
        switch test {
        case .range: "angle"
        case _ where scale == nil: "scale"
        case _ where floor == nil: "floor"
        case .balance:
            Double(times.count) < BalanceFinding.shortest * track.rate ? "period of standing of 5 s or more" : nil
        case .sitToStand, .upAndGo: bodyHeight == nil ? "height of the person (--height)" : nil
        default: nil
        }
    }
}
