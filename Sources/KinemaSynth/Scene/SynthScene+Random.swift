extension SynthScene {
    /// A scene drawn at random: movement, build, clothes, room, camera, rate, noise, pauses, partial and failed
    /// repetitions, things done between, and now and then a cut to another camera.
    package static func random(seed: UInt64) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0x5EED)
        let movement = random.pick(Movement.allCases, else: .squat)
        var performance = Performance(body: .random(using: &random), swayPhase: random.number(in: 0...6))
        perform(movement, &performance, &random)
        let people = [Person(id: 0, performance: performance)]
        let settings = randomSettings(&random)
        let first = random.pick(movement.views, else: .front)
        var shots = [Shot(start: 0, camera: randomCamera(on: people, view: first, settings: settings, &random))]
        if random.chance(0.3) {
            // Like any editor, never from one side of a lying person to the other.
            let others = movement.isProne ? [first] : movement.views.filter { $0 != first }
            let second = random.pick(others, else: first)
            shots.append(
                Shot(
                    start: performance.duration * random.number(in: 0.35...0.65),
                    camera: randomCamera(on: people, view: second, settings: settings, &random)))
        }
        return SynthScene(
            people: people, shots: shots,
            backdrop: Backdrop(random.pick(Backdrop.Style.allCases, else: .studio), seed: random.next()),
            settings: settings)
    }

    private static func perform(
        _ movement: Movement, _ performance: inout Performance, _ random: inout RandomSource
    ) {
        let tempo = random.number(in: movement.tempo)
        let count = random.integer(in: 4...9)
        let pause = random.chance(0.5) ? random.integer(in: 2...count - 1) : nil
        if !movement.isProne {
            performance.add(random.chance(0.3) ? .wave : .idle, seconds: random.number(in: 0.6...2))
        }
        performance.rest(movement, seconds: random.number(in: 0.7...1.2))
        for index in 0..<count {
            let kind = random.number(in: 0...1)
            let depth =
                kind < 0.08 ? random.number(in: 0.15...0.35) : kind < 0.25 ? random.number(in: 0.65...0.85) : 1
            performance.repeatOnce(movement, seconds: tempo * random.number(in: 0.88...1.12), depth: depth)
            guard index == pause else { continue }
            performance.rest(movement, seconds: random.number(in: 0.8...3))
            if !movement.isProne && random.chance(0.5) {
                performance.add(random.pick([.talk, .wave, .idle], else: .idle), seconds: random.number(in: 1.5...3))
            }
        }
        performance.rest(movement, seconds: random.number(in: 0.5...1.2))
    }

    private static func randomSettings(_ random: inout RandomSource) -> Settings {
        let size = random.pick([(640, 480), (640, 360), (480, 640), (720, 480)], else: (640, 480))
        let rates = [
            FrameRate(timescale: 15), FrameRate(timescale: 24), FrameRate(timescale: 25), FrameRate(timescale: 30),
            FrameRate(ticksPerFrame: 1001, timescale: 30000), FrameRate(timescale: 50), FrameRate(timescale: 60),
        ]
        var settings = Settings(
            width: size.0, height: size.1, frameRate: random.pick(rates, else: .thirty), seed: random.next())
        settings.noise = random.number(in: 0...6)
        settings.brightness = random.number(in: 0.75...1.15)
        return settings
    }

    private static func randomCamera(
        on people: [Person], view: SynthCamera.View, settings: Settings, _ random: inout RandomSource
    ) -> SynthCamera {
        camera(
            on: people, view: view, settings: settings, looseness: random.number(in: 1.02...1.3),
            turn: degrees(random.number(in: -10...10)), shake: random.chance(0.4) ? random.number(in: 0.002...0.01) : 0)
    }
}
