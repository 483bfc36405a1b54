import KinemaCore
import KinemaDraw

extension SynthScene {
    /// A random scene of balls thrown among people: one to four lobs and flat throws, some with bounces.
    package static func throwing(seed: UInt64, size: (width: Int, height: Int)? = nil) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0xBA11)
        let settings = throwSettings(size, &random)
        let (balls, seconds) = throwBalls(&random)
        let people = bystanders(seconds: seconds, &random)
        let camera = throwCamera(settings, &random)
        var scene = SynthScene(people: people, camera: camera, settings: settings, duration: seconds, room: &random)
        scene.balls = balls
        return scene
    }

    private static func throwSettings(_ size: (width: Int, height: Int)?, _ random: inout RandomSource) -> Settings {
        let sizes = [(640, 360), (640, 360), (854, 480), (1280, 720), (640, 480), (1920, 1080)]
        let size = size ?? random.pick(sizes)
        let rates = [
            FrameRate(timescale: 25), FrameRate(timescale: 30), FrameRate(ticksPerFrame: 1001, timescale: 30000),
            FrameRate(timescale: 60),
        ]
        return .random(size: (size.0, size.1), rates: rates, noise: 0.5...4, brightness: 0.8...1.1, using: &random)
    }

    private static func throwCamera(_ settings: Settings, _ random: inout RandomSource) -> SynthCamera {
        let distance = random.number(in: 5.5...7.5)
        let turn = degrees(random.number(in: -20...20))
        return SynthCamera(
            position: Vector(sine(turn) * distance, random.number(in: 1.2...2), cosine(turn) * distance),
            target: Vector(0, random.number(in: 1.3...1.7), 0), fieldOfView: degrees(random.number(in: 36...46)),
            shake: random.chance(0.4) ? random.number(in: 0.001...0.006) : 0)
    }

    private static func throwBalls(_ random: inout RandomSource) -> (balls: [ThrownBall], seconds: Double) {
        var balls: [ThrownBall] = []
        var time = random.number(in: 0.8...1.4)
        let count = random.integer(in: 1...4)
        while balls.count < count {
            guard let ball = throwBall(at: time, &random), let end = ball.flights.last?.end else { continue }
            balls.append(ball)
            // Some are thrown while the previous ball is still in the air.
            time = random.chance(0.25) ? time + random.number(in: 0.15...0.4) : end + random.number(in: 0.5...1.2)
        }
        return (balls, (balls.compactMap { $0.flights.last?.end }.max() ?? 0) + 0.8)
    }

    private static func throwBall(at time: Double, _ random: inout RandomSource) -> ThrownBall? {
        let side = random.chance(0.5) ? 1.0 : -1.0
        let depth = random.number(in: -1.2...1.2)
        let from = Vector(-side * random.number(in: 1.2...2.4), random.number(in: 0.9...2), depth)
        let to = Vector(
            side * random.number(in: 1...2.4), random.number(in: 0.15...1.8), depth + random.number(in: -0.6...0.6))
        let angle = degrees(random.chance(0.3) ? random.number(in: 2...18) : random.number(in: 18...66))
        let flight = BallisticFlight(start: time, from: from, to: to, angle: angle)
        // Neither too fast to be thrown nor through the ceiling.
        guard flight.velocity.length < 11, flight.end - flight.start > 0.4,
            from.y + flight.velocity.y * flight.velocity.y / 19.6 < 2.9
        else { return nil }
        var flights = [flight]
        let radius = random.number(in: 0.05...0.125)
        if to.y < 0.4, random.chance(0.7) {
            // A bounce keeps three quarters of the vertical speed.
            let landing = flight.velocity(at: flight.end)
            let up = Vector(landing.x * 0.8, -landing.y * 0.75, landing.z * 0.8)
            flights.append(
                BallisticFlight(
                    start: flight.end, end: flight.end + random.number(in: 0.4...0.7), origin: to, velocity: up))
        }
        let paints: [UInt32] = [0xD8601C, 0xE8E4DC, 0x2A3F9C, 0xA01C28, 0xC8E03A, 0x202428]
        let color = random.pick(paints)
        return ThrownBall(
            flights: flights, radius: radius, color: Color(hex: color), restBefore: random.number(in: 0.3...0.8),
            restAfter: random.chance(0.5) ? random.number(in: 0.1...0.8) : 0)
    }

    private static func bystanders(seconds: Double, _ random: inout RandomSource) -> [Person] {
        (0..<random.integer(in: 1...3)).map { id in
            var performance = Performance(
                body: .random(using: &random),
                placement: Placement(
                    position: Vector(random.number(in: -2.4...2.4), 0, random.number(in: -1.8...1.6)),
                    heading: degrees(random.number(in: -90...90))),
                swayPhase: random.number(in: 0...6))
            switch random.integer(in: 0...3) {
            case 0: performance.add(.talk, seconds: seconds)
            case 1: performance.add(.idle, seconds: seconds)
            case 2:
                while performance.duration < seconds {
                    performance.walk(
                        to: Vector(random.number(in: -2.6...2.6), 0, random.number(in: -1.8...1.6)),
                        metersPerSecond: random.number(in: 0.8...1.5))
                    performance.add(.idle, seconds: random.number(in: 0.2...0.6))
                }
            default:
                let movement = random.pick([Movement.squat, .jumpingJack, .bicepsCurl])
                while performance.duration < seconds {
                    performance.repeatOnce(movement, seconds: random.number(in: movement.tempo))
                }
            }
            return Person(id: id, performance: performance)
        }
    }
}

/// A ball at rest, in flight, perhaps bouncing, and at rest again.
struct ThrownBall: Sendable {
    /// The flights in order of time; each bounce starts a new one.
    var flights: [BallisticFlight]
    /// The radius, in metres.
    var radius: Double
    var color: Color
    /// The time in view before the first flight and after the last one, in seconds.
    var restBefore, restAfter: Double

    /// The ball at a time; nil while it is not visible.
    func solid(at time: Double) -> Solid? {
        guard let first = flights.first, let last = flights.last, time >= first.start - restBefore,
            time <= last.end + restAfter
        else { return nil }
        let flying = flights.last { $0.start <= time }
        let position = flying.flatMap { $0.position(at: min(time, $0.end)) } ?? first.origin
        return Solid(position, position, radius, radius, color, gloss: 0.1)
    }
}

extension SynthScene {
    /// A random game of bean-bag toss of at most eight throws, 2 to 4 if `throwCount` is nil; `look` is the board's.
    package static func toss(seed: UInt64, throwCount: Int? = nil, look: BoardLook = .painted) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0x7055)
        let count = min(max(throwCount ?? random.integer(in: 2...4), 1), 8)
        var plan = TossGameBuilder(&random, look, seed: seed)
        for index in 0..<count { plan.throwBag(isFirst: index == 0, &random) }
        plan.end(&random)
        let settings = tossSettings(&random)
        let camera = plan.camera(settings, &random)
        let people = [Person(id: 0, performance: plan.player)] + plan.passers(&random)
        return SynthScene(
            people: people, props: plan.stage.board.cover, camera: camera, settings: settings,
            duration: plan.player.duration, toss: plan.stage, room: &random)
    }

    private static func tossSettings(_ random: inout RandomSource) -> Settings {
        let size = random.pick([(1280, 720), (960, 540), (960, 540), (1024, 576)])
        let rates = [
            FrameRate(timescale: 30), FrameRate(timescale: 30), FrameRate(ticksPerFrame: 1001, timescale: 30000),
            FrameRate(timescale: 25), FrameRate(timescale: 60),
        ]
        return .random(size: size, rates: rates, noise: 0.5...4, brightness: 0.85...1.1, using: &random)
    }
}
