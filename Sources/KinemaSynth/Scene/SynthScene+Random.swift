import KinemaCore

extension SynthScene {
    /// A random scene of exercise, with everything varied: people, room, cameras, format, tempo, failed repetitions,
    /// other activities, walking in and out, title cards and cuts.
    ///
    /// A repetition counts from 0.6 of the full range, and none is rendered between 0.4 and 0.6. Its truth runs from
    /// leaving the start posture to reaching it again. Sets of fewer than five contain no failed repetition.
    package static func random(seed: UInt64) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0x5EED)
        let movement = random.pick(Movement.ofRandomScenes)
        let title = random.chance(0.2) ? TitleCard.random(naming: movement.rawValue, using: &random) : nil
        let walksIn = random.chance(0.35)
        let gate = Vector(random.chance(0.5) ? 2.3 : -2.3, 0, random.number(in: -0.8...0.8))
        var performance = Performance(
            body: .random(using: &random), placement: Placement(position: walksIn ? gate : .zero),
            swayPhase: random.number(in: 0...6))
        if let title { performance.add(.idle, seconds: title.seconds) }
        if walksIn { performance.walk(to: .zero, metersPerSecond: random.number(in: 0.9...1.5)) }
        perform(movement, &performance, &random)
        if random.chance(0.3) {
            performance.walk(
                to: Vector(-gate.x, 0, random.number(in: -0.6...0.8)), metersPerSecond: random.number(in: 0.9...1.5))
        }
        return filmed(performance, in: movement.views, isOnFloor: movement.isOnFloor, title: title, &random)
    }

    /// One person filmed by one or two random cameras.
    static func filmed(
        _ performance: Performance, props: [Solid] = [], in views: [SynthCamera.View], isOnFloor: Bool,
        title: TitleCard? = nil, _ random: inout RandomSource
    ) -> SynthScene {
        let people = [Person(id: 0, performance: performance)]
        let settings = randomSettings(&random)
        let first = random.pick(views)
        var shots = [Shot(start: 0, camera: randomCamera(on: people, view: first, settings: settings, &random))]
        if random.chance(0.3) {
            // Like any editor, never cut from one side of a lying person to the other.
            let others = isOnFloor ? [first] : views.filter { $0 != first }
            let second = others.isEmpty ? first : random.pick(others)
            shots.append(
                Shot(
                    start: performance.duration * random.number(in: 0.35...0.65),
                    camera: randomCamera(on: people, view: second, settings: settings, &random)))
        }
        return SynthScene(
            people: people, props: props, shots: shots,
            backdrop: .random(using: &random), settings: settings, title: title)
    }

    private static func perform(
        _ movement: Movement, _ performance: inout Performance, _ random: inout RandomSource
    ) {
        // Draw more fast repetitions than slow ones, because slow ones fill more of the time.
        let unit = random.number(in: 0...1)
        let pace = mix(movement.paces.lowerBound, movement.paces.upperBound, unit * unit * unit)
        let count = min(max(Int(random.number(in: 6...9) / pace), 3), 9)
        let pauses = (0..<2).map { _ in random.chance(0.35) ? random.integer(in: 1...count - 2) : -1 }
        let drift = random.chance(0.35) ? random.number(in: 0.65...1.5) : 1
        if random.chance(0.6) {
            performance.add(random.pick([.idle, .idle, .talk, .wave]), seconds: random.number(in: 0.6...2))
        }
        performance.rest(movement, seconds: random.number(in: 0.5...1.2) + (movement.isOnFloor ? 1.8 : 0.2))
        for index in 0..<count {
            let kind = random.number(in: 0...1)
            let depth =
                kind < 0.07 && count > 4
                ? random.number(in: 0.15...0.35) : kind < 0.25 ? random.number(in: 0.65...0.85) : 1
            let tempo = pace * mix(1, drift, Double(index) / Double(count - 1)) * random.number(in: 0.9...1.1)
            performance.repeatOnce(
                movement, seconds: min(max(tempo, movement.paces.lowerBound), movement.paces.upperBound), depth: depth)
            guard pauses.contains(index) else { continue }
            performance.rest(movement, seconds: random.number(in: 0.8...2.5))
            if !movement.isOnFloor && random.chance(0.4) {
                performance.add(random.pick([.talk, .wave, .idle]), seconds: random.number(in: 1.2...2.5))
            }
        }
        performance.rest(movement, seconds: random.number(in: 0.5...1.2))
        if random.chance(0.4) { performance.add(.idle, seconds: random.number(in: 1...2.4)) }
    }

    private static func randomSettings(_ random: inout RandomSource) -> Settings {
        let size = random.pick([(480, 360), (640, 360), (360, 480), (480, 480), (360, 640)])
        // Fast rates are rare, because they take the longest to render and analyse.
        let usual = [
            FrameRate(timescale: 15), FrameRate(timescale: 20), FrameRate(timescale: 24), FrameRate(timescale: 25),
            FrameRate(timescale: 30), FrameRate(ticksPerFrame: 1001, timescale: 30000),
        ]
        let fast = [FrameRate(timescale: 50), FrameRate(timescale: 60)]
        let rates = random.chance(0.12) ? fast : usual
        return .random(size: size, rates: rates, noise: 0...6, brightness: 0.75...1.15, using: &random)
    }

    private static func randomCamera(
        on people: [Person], view: SynthCamera.View, settings: Settings, _ random: inout RandomSource
    ) -> SynthCamera {
        // The square makes most cameras close and a few distant.
        let far = random.number(in: 0...1)
        return camera(
            on: people, view: view, settings: settings, distanceFactor: 1.02 + 0.55 * far * far,
            turn: degrees(random.number(in: -16...16)), rise: degrees(random.number(in: -5...8)),
            shake: random.chance(0.4) ? random.number(in: 0.002...0.01) : 0)
    }
}

extension SynthScene {
    /// Points on the outlines of all people over the whole timeline, to place a camera; walks in and out are excluded.
    static func outline(of people: [Person]) -> [Vector] {
        people.flatMap { person in
            let performance = person.performance
            return performance.segments.flatMap { segment -> [Vector] in
                if case .walk = segment.action { return [] }
                // The blend from the previous action is over by the first sample.
                let steps = 8
                return (1...steps).flatMap { step in
                    let time = segment.start + (segment.end - segment.start) * Double(step) / Double(steps)
                    return outline(of: performance.armature(at: time), body: performance.body)
                }
            }
        }
    }

    private static func outline(of armature: Armature, body: Body) -> [Vector] {
        let h = body.height
        return [
            armature.headCenter + armature.head.y * (0.09 * h),
            armature[.leftIndexFinger] + armature.leftHand * (0.06 * h),
            armature[.rightIndexFinger] + armature.rightHand * (0.06 * h), armature[.leftElbow], armature[.rightElbow],
            armature[.leftFootTip] + armature.leftFoot.z * (0.03 * h) - Vector.up * (0.02 * h),
            armature[.rightFootTip] + armature.rightFoot.z * (0.03 * h) - Vector.up * (0.02 * h),
            armature[.leftHeel], armature[.rightHeel], armature[.leftKnee], armature[.rightKnee], armature.root,
        ]
    }

    static func camera(
        on people: [Person], view: SynthCamera.View, settings: Settings, distanceFactor: Double = 1.05,
        turn: Double = 0, rise: Double = 0, shake: Double = 0
    ) -> SynthCamera {
        let direction = view.direction
        return SynthCamera.framing(
            outline(of: people), azimuth: direction.azimuth + turn, elevation: direction.elevation + rise,
            distanceFactor: distanceFactor, margin: 0.04 + shake, width: settings.width, height: settings.height,
            shake: shake)
    }
}

extension SynthScene {
    /// One person doing one exercise with a fault in about half of the repetitions.
    package static func coached(
        _ movement: Movement, fault: MovementFault?, seed: UInt64, repetitions: Int = 6, view: SynthCamera.View? = nil,
        settings: Settings = Settings()
    ) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0xC0AC)
        var performance = Performance(body: .random(using: &random), swayPhase: random.number(in: 0...6))
        performance.rest(movement, seconds: 1)
        let usual = random.number(in: movement.tempo)
        // The first repetition is correct, so that a missed rest posture is missed after a repetition.
        for index in 0..<repetitions {
            let isFaulty = fault != nil && index > 0 && random.chance(0.5)
            let faults = isFaulty ? Set([fault].compactMap(\.self)) : []
            let tempo = faults.contains(.tooFast) ? random.number(in: 0.45...0.6) : usual
            performance.repeatOnce(
                movement, seconds: tempo * random.number(in: 0.95...1.05), depth: random.number(in: 0.95...1),
                faults: faults)
        }
        performance.rest(movement, seconds: 1)
        let people = [Person(id: 0, performance: performance)]
        let views = movement.views.filter { fault?.views(in: movement).contains($0) ?? true }
        let camera = camera(
            on: people, view: view ?? (views.isEmpty ? .front : random.pick(views)), settings: settings,
            distanceFactor: random.number(in: 1.02...1.2), turn: degrees(random.number(in: -10...10)))
        return SynthScene(people: people, camera: camera, settings: settings, room: &random)
    }
}
