internal import KinemaCore

extension SynthScene {
    package static let measuredNames = ["walk", "run", "jump", "sit-to-stand", "range-of-motion", "rest", "turntable"]

    /// One person of known height, seen by a known camera from the side, who performs one test of movement; nil for an
    /// unknown name. The seed chooses build, room, speed and lengths, the side seen and the camera's tilt.
    package static func measured(
        _ name: String, seed: UInt64, settings: Settings = Settings(width: 1280, height: 720)
    ) -> SynthScene? {
        var random = RandomSource(seed: seed &+ 0x3EA5)
        let body = Body.random(using: &random)
        let isLeft = random.chance(0.5)
        guard let test = test(name, body, isLeft: isLeft, &random) else { return nil }
        var start = Vector.zero
        if case .gait(let stride, let seconds) = test { start.z = -stride.speed * seconds / 2 }
        var performance = Performance(
            body: body, placement: Placement(position: start), swayPhase: random.number(in: 0...6))
        performance.perform(test)
        // A person who stays on the spot fills more of the picture.
        let distance = (start.z != 0 ? 7.2 : name == "jump" ? 6.6 : 5.4) + random.number(in: -0.4...0.6)
        let azimuth = degrees((isLeft ? 90 : -90) + random.number(in: -3...3))
        let height = random.number(in: 0.8...1.4)
        let position = Vector(sine(azimuth) * distance, height, cosine(azimuth) * distance)
        let target = Vector(0, name == "jump" ? 1.15 : 0.95, 0)
        var camera = SynthCamera(position: position, target: target, fieldOfView: degrees(28))
        camera.roll = degrees(random.number(in: -4...4))
        let props = name == "sit-to-stand" ? [stool(for: body, at: Placement())] : []
        var settings = settings
        settings.seed = random.next()
        settings.noise = random.number(in: 0.5...3)
        var scene = SynthScene(
            people: [Person(id: 0, performance: performance)], props: props, camera: camera, settings: settings,
            room: &random)
        scene.test = test
        return scene
    }

    private static func test(
        _ name: String, _ body: Body, isLeft: Bool, _ random: inout RandomSource
    ) -> MovementTest? {
        switch name {
        case "walk", "run":
            let isRunning = name == "run"
            let speed = isRunning ? random.number(in: 2.4...3.4) : random.number(in: 0.9...1.5)
            // Longer steps at higher speeds, by about the square root; a little longer on one side.
            let step = (isRunning ? 0.56 : 0.385) * body.height * (speed / (isRunning ? 2.9 : 1.2)).squareRoot()
            let uneven = random.number(in: -0.06...0.06)
            let stride = Stride(
                body: body, speed: speed, left: step * (1 + uneven), right: step * (1 - uneven),
                stance: isRunning ? 0.36 : 0.62)
            return .gait(stride, seconds: 4.6 / speed)
        case "jump":
            return .jumps((0..<3).map { _ in .init(body: body, height: random.number(in: 0.15...0.4)) })
        case "sit-to-stand": return .sitToStand(rises: (0..<5).map { _ in random.number(in: 0.9...1.6) })
        case "range-of-motion":
            let far: [MovementTest.Range.Joint: ClosedRange<Double>] = [
                .elbow: 100...140, .shoulder: 90...160, .knee: 70...110, .hip: 60...95, .trunk: 40...75,
            ]
            return .ranges(
                MovementTest.Range.Joint.allCases.map { joint in
                    .init(joint: joint, far: degrees(random.number(in: far[joint] ?? 0...90)))
                }, isLeft: isLeft)
        case "rest": return .rest(seconds: 4)
        case "turntable": return .turntable(seconds: 8)
        default: return nil
        }
    }
}
