import KinemaCore
import KinemaDraw

extension SynthScene {
    /// A random scene of balls thrown among people: one to four lobs and flat throws in both directions, some that
    /// bounce, sometimes two at once. People stand, talk, walk or exercise in front of and behind them. Size, frame
    /// rate, noise and camera shake vary.
    package static func throwing(seed: UInt64, size: (width: Int, height: Int)? = nil) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0xBA11)
        let settings = throwSettings(size, &random)
        let (balls, seconds) = throwBalls(&random)
        let people = bystanders(seconds: seconds, &random)
        let camera = throwCamera(settings, &random)
        var scene = SynthScene(
            people: people, shots: [Shot(start: 0, camera: camera)],
            backdrop: Backdrop(random.pick(Backdrop.Style.allCases, else: .gym), seed: random.next()),
            settings: settings, duration: seconds)
        scene.balls = balls
        return scene
    }

    private static func throwSettings(
        _ size: (width: Int, height: Int)?, _ random: inout RandomSource
    ) -> Settings {
        let size =
            size
            ?? random.pick(
                [(640, 360), (640, 360), (854, 480), (1280, 720), (640, 480), (1920, 1080)], else: (640, 360))
        let rates = [
            FrameRate(timescale: 25), FrameRate(timescale: 30), FrameRate(ticksPerFrame: 1001, timescale: 30000),
            FrameRate(timescale: 60),
        ]
        var settings = Settings(
            width: size.width, height: size.height, frameRate: random.pick(rates, else: .thirty), seed: random.next())
        settings.noise = random.number(in: 0.5...4)
        settings.brightness = random.number(in: 0.8...1.1)
        return settings
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
        guard let flight = BallisticFlight(start: time, from: from, to: to, angle: angle),
            // Neither too fast to be thrown nor through the ceiling.
            flight.velocity.length < 11, flight.end - flight.start > 0.4,
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
        let color = random.pick(paints, else: 0xD8601C)
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
                let movement = random.pick([Movement.squat, .jumpingJack, .bicepsCurl], else: .squat)
                while performance.duration < seconds {
                    performance.repeatOnce(movement, seconds: random.number(in: movement.tempo))
                }
            }
            return Person(id: id, performance: performance)
        }
    }
}

/// A ball in free flight without drag.
package struct BallisticFlight: Sendable {
    /// Standard gravity, m/s² (3rd CGPM, 1901).
    package static let gravity = 9.80665

    /// When it is released, in seconds.
    package var start: Double
    /// When it is caught or lands, in seconds.
    package var end: Double
    /// The release point, in metres.
    package var origin: Vector
    /// The release velocity, in metres per second.
    package var velocity: Vector
}

extension BallisticFlight {
    /// Makes a flight between two points with a launch angle above the horizontal (radians).
    ///
    /// Nil if no throw at that angle reaches the target.
    package init?(start: Double, from origin: Vector, to target: Vector, angle: Double) {
        let displacement = Vector(target.x - origin.x, 0, target.z - origin.z)
        let distance = displacement.length
        let rise = distance * tangent(angle) - (target.y - origin.y)
        guard rise > 0, distance > 0 else { return nil }
        let level = (BallisticFlight.gravity * distance * distance / (2 * rise)).squareRoot()
        self.init(
            start: start, end: start + distance / level, origin: origin,
            velocity: displacement.unit * level + Vector.up * (level * tangent(angle)))
    }

    /// The centre of the ball at a time, in metres; nil before and after the flight.
    package func position(at time: Double) -> Vector? {
        guard time >= start, time <= end else { return nil }
        let t = time - start
        return origin + velocity * t - Vector.up * (BallisticFlight.gravity * t * t / 2)
    }

    /// The velocity at a time, in metres per second.
    package func velocity(at time: Double) -> Vector {
        velocity - Vector.up * (BallisticFlight.gravity * (time - start))
    }
}

/// A ball at rest, in flight, perhaps bouncing, and at rest again.
struct ThrownBall: Sendable {
    /// The flights in order of time; each bounce starts a new one.
    var flights: [BallisticFlight]
    /// The radius, in metres.
    var radius: Double
    var color: Color
    /// How long it is visible before the first flight and after the last one, in seconds.
    var restBefore: Double
    var restAfter: Double

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

/// The ground truth of a flight.
package struct FlightTruth: Codable, Sendable, Equatable {
    /// The release, in seconds.
    package var start: Double
    /// The landing, in seconds.
    package var end: Double
    /// The times at which the ball is in the picture, in seconds from the first frame.
    package var times: [Double]
    /// The position at each of these times: x and y, normalised, origin at the lower left.
    package var points: [[Double]]
    /// The mean radius of the ball, in picture widths.
    package var radius: Double
    /// a, b and c of y = ax² + bx + c, fitted by least squares; empty if the points have no horizontal extent.
    package var coefficients: [Double]
}

extension SynthScene {
    /// The flights that are visible in at least five frames.
    package func flightTruth() -> [FlightTruth] {
        balls.flatMap { ball in ball.flights.compactMap { truth(of: $0, radius: ball.radius) } }
            .sorted { $0.start < $1.start }
    }

    private func truth(of flight: BallisticFlight, radius: Double) -> FlightTruth? {
        var truth = FlightTruth(
            start: flight.start, end: flight.end, times: [], points: [], radius: 0, coefficients: [])
        for frame in 0..<frameCount {
            let time = frameRate.seconds(atFrame: frame)
            let projection = projection(at: frame)
            guard let position = flight.position(at: time), let image = projection.normalized(position),
                (0...1).contains(image.x), (0...1).contains(image.y)
            else { continue }
            truth.times.append(time)
            truth.points.append([image.x, image.y])
            truth.radius += projection.focal * radius / projection.cameraSpace(position).z / Double(settings.width)
        }
        guard truth.times.count >= 5 else { return nil }
        truth.radius /= Double(truth.times.count)
        truth.coefficients = Self.parabola(truth.points) ?? []
        return truth
    }

    /// Fits a parabola by least squares, about the mean for numerical stability.
    private static func parabola(_ points: [[Double]]) -> [Double]? {
        let count = Double(points.count)
        let mean = points.reduce(0) { $0 + $1[0] } / count
        var sums = [Double](repeating: 0, count: 5)
        var right = [Double](repeating: 0, count: 3)
        for point in points {
            let u = point[0] - mean
            let powers = [1, u, u * u, u * u * u, u * u * u * u]
            for index in 0..<5 { sums[index] += powers[index] }
            for index in 0..<3 { right[index] += powers[index] * point[1] }
        }
        // Cramer's rule for the three normal equations.
        func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1])
        }
        let columns = [[sums[0], sums[1], sums[2]], [sums[1], sums[2], sums[3]], [sums[2], sums[3], sums[4]]]
        let divisor = determinant(columns[0], columns[1], columns[2])
        guard abs(divisor) > 1e-15 else { return nil }
        let c = determinant(right, columns[1], columns[2]) / divisor
        let b = determinant(columns[0], right, columns[2]) / divisor
        let a = determinant(columns[0], columns[1], right) / divisor
        return [a, b - 2 * a * mean, c - b * mean + a * mean * mean]
    }
}
