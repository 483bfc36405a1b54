import KinemaCore
import KinemaDraw

extension SynthScene {
    /// The built-in demonstration: one person, about 13 s at 640x480, eight jumping jacks with a pause between them.
    package static var demo: SynthScene {
        var performance = Performance(body: Body(), swayPhase: 0.4)
        performance.add(.idle, seconds: 1)
        for seconds in [1.12, 1.05, 1.0, 1.03, 0.98] { performance.repeatOnce(.jumpingJack, seconds: seconds) }
        performance.rest(.jumpingJack, seconds: 0.6)
        performance.add(.talk, seconds: 1.6)
        for seconds in [1.06, 1.0, 1.04] { performance.repeatOnce(.jumpingJack, seconds: seconds) }
        performance.rest(.jumpingJack, seconds: 0.5)
        performance.add(.idle, seconds: 0.6)
        let people = [Person(id: 0, performance: performance)]
        let settings = Settings()
        let camera = camera(on: people, view: .front, settings: settings, turn: degrees(-14), shake: 0.004)
        return SynthScene(
            people: people, shots: [Shot(start: 0, camera: camera)], backdrop: Backdrop(.studio, seed: 5),
            settings: settings)
    }

    /// One person doing one exercise, with random tempo and build.
    ///
    /// `depths` gives each repetition's share of the full range, 1 if there are fewer values; a pause of `pauseSeconds`
    /// follows repetition number `pauseAfter`.
    package static func exercise(
        _ movement: Movement, repetitions: Int, seed: UInt64 = 1, view: SynthCamera.View? = nil, body: Body? = nil,
        depths: [Double] = [], secondsPerRepetition: Double? = nil, jitter: Double = 0.08, pauseAfter: Int? = nil,
        pauseSeconds: Double = 2, change: MovementChange = MovementChange(), settings: Settings = Settings()
    ) -> SynthScene {
        var random = RandomSource(seed: seed)
        let build = body ?? Body.random(using: &random)
        var performance = Performance(body: build, swayPhase: random.number(in: 0...6))
        performance.change = change
        let depth = change.amounts[.depth] ?? 1
        let tempo = secondsPerRepetition ?? change.amounts[.seconds] ?? random.number(in: movement.tempo)
        if !movement.isOnFloor { performance.add(.idle, seconds: 0.6) }
        performance.rest(movement, seconds: 0.9)
        for index in 0..<repetitions {
            let seconds = tempo * (1 + jitter * random.number(in: -1...1))
            performance.repeatOnce(movement, seconds: seconds, depth: index < depths.count ? depths[index] : depth)
            if index + 1 == pauseAfter { performance.rest(movement, seconds: pauseSeconds) }
        }
        performance.rest(movement, seconds: 0.8)
        let people = [Person(id: 0, performance: performance)]
        let camera = camera(
            on: people, view: view ?? random.pick(movement.views), settings: settings,
            distanceFactor: random.number(in: 1.02...1.15), turn: degrees(random.number(in: -8...8)))
        return SynthScene(people: people, camera: camera, settings: settings, room: &random)
    }

    /// One person doing an activity other than exercise, with standing around before and after.
    package static func activity(
        _ activity: Activity, seconds: Double = 4, seed: UInt64 = 1, view: SynthCamera.View = .front,
        settings: Settings = Settings()
    ) -> SynthScene {
        var random = RandomSource(seed: seed)
        let body = Body.random(using: &random)
        var performance = Performance(body: body, swayPhase: random.number(in: 0...6))
        if activity != .plank { performance.add(.idle, seconds: 0.8) }
        performance.add(activity, seconds: seconds)
        if activity != .plank { performance.add(.idle, seconds: 0.8) }
        let people = [Person(id: 0, performance: performance)]
        let camera = camera(on: people, view: view, settings: settings, distanceFactor: 1.1)
        let props = activity == .sit ? [stool(for: body, at: Placement())] : []
        return SynthScene(people: people, props: props, camera: camera, settings: settings, room: &random)
    }

    /// Two people side by side: the first does jumping jacks, the second squats, each at their own tempo.
    package static func twoPeople(
        seed: UInt64 = 1, settings: Settings = Settings(width: 960, height: 540)
    ) -> SynthScene {
        var random = RandomSource(seed: seed)
        let bodies = strangers(&random)
        let plans = [(0, bodies.0, -0.85, Movement.jumpingJack, 6), (1, bodies.1, 0.85, Movement.squat, 4)]
        let people = plans.map { id, body, x, movement, count in
            var performance = Performance(
                body: body, placement: Placement(position: Vector(x, 0, 0)),
                swayPhase: random.number(in: 0...6))
            performance.add(.idle, seconds: random.number(in: 0.3...1))
            let tempo = random.number(in: movement.tempo)
            for _ in 0..<count {
                performance.repeatOnce(movement, seconds: tempo * random.number(in: 0.94...1.06))
            }
            performance.rest(movement, seconds: 0.8)
            return Person(id: id, performance: performance)
        }
        let camera = camera(on: people, view: .front, settings: settings)
        return SynthScene(people: people, camera: camera, settings: settings, room: &random)
    }

    /// Two people walk past each other; then the rear one stops behind a pillar for a second and comes out again.
    package static func crossing(
        seed: UInt64 = 1, settings: Settings = Settings(width: 960, height: 540)
    ) -> SynthScene {
        var random = RandomSource(seed: seed)
        let bodies = strangers(&random)
        var near = Performance(
            body: bodies.0, placement: Placement(position: Vector(-1.8, 0, 0.6)), swayPhase: random.number(in: 0...6))
        var far = Performance(
            body: bodies.1, placement: Placement(position: Vector(1.9, 0, -0.5)), swayPhase: random.number(in: 0...6))
        near.add(.idle, seconds: 1)
        far.add(.idle, seconds: 1)
        near.walk(to: Vector(1.8, 0, 0.6), metersPerSecond: random.number(in: 0.95...1.25))
        far.walk(to: Vector(-0.7, 0, -0.5), metersPerSecond: random.number(in: 0.8...1.05))
        let meeting = max(near.duration, far.duration) + 0.8
        near.add(.wave, seconds: meeting + 5 - near.duration)
        far.add(.idle, seconds: meeting - far.duration)
        // Go behind the pillar, pause for a second and come out again.
        let hiding = Vector(-1.75, 0, -1.2)
        far.walk(to: hiding, metersPerSecond: 1.2)
        far.add(.idle, seconds: 1.1)
        far.walk(to: Vector(-0.6, 0, -0.5), metersPerSecond: 1.2)
        far.add(.idle, seconds: 1.2)
        let people = [Person(id: 0, performance: near), Person(id: 1, performance: far)]
        let camera = camera(on: people, view: .front, settings: settings, distanceFactor: 1.1)
        // The pillar stands on the line from the camera to the hiding place.
        let line = hiding - camera.position
        let foot = camera.position + line * 0.86
        let paint = Color(hex: random.pick([0xB8ACA0, 0x8C5A48, 0x7C8894]))
        let pillar = Solid(Vector(foot.x, -0.5, foot.z), Vector(foot.x, 3.6, foot.z), 0.36, 0.36, paint, gloss: 0.02)
        return SynthScene(people: people, props: [pillar], camera: camera, settings: settings, room: &random)
    }

    private static func strangers(_ random: inout RandomSource) -> (Body, Body) {
        let first = Body.random(using: &random)
        var second = Body.random(using: &random)
        while second.appearance.shirt == first.appearance.shirt { second.appearance = .random(using: &random) }
        return (first, second)
    }

    static func stool(for body: Body, at placement: Placement) -> Solid {
        let radius = 0.105 * body.height
        let turn = Rotation.yaw(placement.heading)
        let centre =
            placement.position + turn * Vector(0, Activity.seatHeight * body.height - radius, -0.21 * body.height)
        let half = turn * Vector(0.09 * body.height, 0, 0)
        return Solid(centre - half, centre + half, radius, radius, Color(hex: 0x7A4A3A), gloss: 0.1)
    }
}
