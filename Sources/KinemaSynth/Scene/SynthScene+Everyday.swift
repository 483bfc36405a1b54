package import Foundation
internal import KinemaCore
internal import KinemaMedia

extension SynthScene {
    /// A random scene of 6 to 20 s without exercise: walking, turning, talking, sitting down and picking things up.
    package static func withoutExercise(seed: UInt64) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0x1D1E)
        let body = Body.random(using: &random)
        let home = Placement(heading: degrees(random.number(in: -50...50)))
        let gate = Vector(random.chance(0.5) ? 2.2 : -2.2, 0, random.number(in: -0.8...0.8))
        let walksIn = random.chance(0.4)
        var performance = Performance(
            body: body, placement: walksIn ? Placement(position: gate) : home, swayPhase: random.number(in: 0...6))
        if walksIn {
            performance.walk(to: .zero, metersPerSecond: random.number(in: 0.8...1.5), thenFacing: home.heading)
        }
        var activities = EverydayActivities(home: home)
        let seconds = random.number(in: 6...12)
        while performance.duration < seconds { activities.addNext(&performance, &random) }
        let props = activities.sittings > 0 ? [stool(for: body, at: home)] : []
        return filmed(performance, props: props, in: SynthCamera.View.allCases, isOnFloor: false, &random)
    }
}

/// Chooses the next activity of a person who does not exercise.
private struct EverydayActivities {
    let home: Placement
    private(set) var sittings = 0
    private var pickings = 0, last = -1

    init(home: Placement) { self.home = home }

    /// Adds an activity, never the same twice in a row and none often enough to be a set of repetitions.
    mutating func addNext(_ performance: inout Performance, _ random: inout RandomSource) {
        var next = random.integer(in: 0...5)
        if next == last || (next == 3 && sittings == 2) || (next == 4 && pickings == 2) { next = (next + 1) % 3 }
        last = next
        switch next {
        case 0: walkAbout(&performance, &random)
        case 1:
            performance.turn(
                to: performance.placement.heading + degrees(random.number(in: 60...170))
                    * (random.chance(0.5) ? 1 : -1),
                seconds: random.number(in: 0.9...1.8))
        case 2: performance.add(.talk, seconds: random.number(in: 1.5...4))
        case 3:
            sittings += 1
            goHome(&performance, &random)
            performance.add(.sit, seconds: random.number(in: 2.6...5))
        case 4:
            pickings += 1
            performance.add(.pickUp, seconds: random.number(in: 1.6...3))
        default:
            performance.add(random.chance(0.5) ? .wave : .idle, seconds: random.number(in: 0.8...2.2))
        }
    }

    private func walkAbout(_ performance: inout Performance, _ random: inout RandomSource) {
        performance.walk(
            to: Vector(random.number(in: -1.4...1.4), 0, random.number(in: -0.8...0.6)),
            metersPerSecond: random.number(in: 0.7...1.5), thenFacing: degrees(random.number(in: -60...60)))
    }

    private func goHome(_ performance: inout Performance, _ random: inout RandomSource) {
        performance.walk(
            to: home.position, metersPerSecond: random.number(in: 0.8...1.3), thenFacing: home.heading)
        if performance.placement.heading != home.heading { performance.turn(to: home.heading, seconds: 0.9) }
    }
}

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

package enum SynthWriter {
    /// Renders the scene to an H.264 MP4 file and optionally writes its truth to a JSON file.
    ///
    /// `progress` gets the finished and the total frames; if it throws, the frames so far stay playable, without the
    /// truth. Throws `KinemaError.Code.unwritableOutput`.
    package static func write(
        _ scene: SynthScene, to url: URL, truth: URL? = nil,
        progress: (_ done: Int, _ of: Int) throws -> Void = { _, _ in }
    ) throws {
        // Write the cheap truth first, which finds an unwritable path before rendering.
        if let truth { try write(scene.truth(), to: truth) }
        do {
            try writeVideo(scene, to: url, progress)
        } catch {
            if let truth { AtomicFile.remove([truth]) }
            throw error
        }
    }

    private static func writeVideo(
        _ scene: SynthScene, to url: URL, _ progress: (_ done: Int, _ of: Int) throws -> Void
    ) throws {
        let rate = scene.frameRate
        // With several threads x264 divides pictures by their number, and two runs may differ by a level in some pixels.
        var writer = try VideoWriter(
            url: url, width: scene.size.width, height: scene.size.height, timescale: rate.timescale,
            nominalFrameRate: rate.perSecond, threads: 1)
        for frame in 0..<scene.frameCount {
            let start = frame * rate.ticksPerFrame
            try writer.append(scene.bitmap(at: frame), at: start..<start + rate.ticksPerFrame)
            try progress(frame + 1, scene.frameCount)
        }
        try writer.finish()
    }

    /// Writes the truth as JSON with sorted keys; the same scene gives the same bytes.
    package static func write(_ truth: Truth, to url: URL) throws {
        try AtomicFile.write(JSONEncoder.ordered.encode(truth), to: url)
    }
}
