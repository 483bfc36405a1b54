import KinemaDraw

extension SynthScene {
    /// A game of bean-bag toss drawn at random: who throws and how, from which side, the board, the camera, the picture,
    /// swings to warm up, walks in, passers-by.
    ///
    /// `throwCount` nil means 2 to 4 throws; a game has at most eight.
    package static func toss(seed: UInt64, throwCount: Int? = nil) -> SynthScene {
        var random = RandomSource(seed: seed &+ 0x7055)
        let count = min(max(throwCount ?? random.integer(in: 2...4), 1), 8)
        var plan = TossPlan(&random)
        for index in 0..<count { plan.throwBag(isFirst: index == 0, &random) }
        plan.end(&random)
        let settings = tossSettings(&random)
        let camera = plan.camera(settings, &random)
        let people = [Person(id: 0, performance: plan.player)] + plan.passers(&random)
        return SynthScene(
            people: people, shots: [Shot(start: 0, camera: camera)],
            backdrop: Backdrop(random.pick(Backdrop.Style.allCases, else: .gym), seed: random.next()),
            settings: settings, duration: plan.player.duration, toss: plan.stage)
    }

    private static func tossSettings(_ random: inout RandomSource) -> Settings {
        let size = random.pick([(1280, 720), (960, 540), (960, 540), (1024, 576)], else: (960, 540))
        let rates = [
            FrameRate(timescale: 30), FrameRate(timescale: 30), FrameRate(ticksPerFrame: 1001, timescale: 30000),
            FrameRate(timescale: 25), FrameRate(timescale: 60),
        ]
        var settings = Settings(
            width: size.0, height: size.1, frameRate: random.pick(rates, else: .thirty), seed: random.next())
        settings.noise = random.number(in: 0.5...4)
        settings.brightness = random.number(in: 0.85...1.1)
        return settings
    }
}

/// Puts a game together, action after action.
private struct TossPlan {
    private(set) var player: Performance
    private let board: TossBoard
    /// 1 for throws to the right of the picture, -1 to the left.
    private let side: Double
    private let stand: Vector
    private let heading: Double
    private let isLeftHanded: Bool
    private let bag: Color
    private var flights: [BagFlight] = []
    private var holdings: [ClosedRange<Double>] = []
    /// Since when the bag is in the hand.
    private var heldSince = 0.0

    init(_ random: inout RandomSource) {
        side = random.chance(0.6) ? 1 : -1
        // 25 feet to the hole is the rule; in gardens it is rather less.
        let distance = random.number(in: 6.2...7.62)
        stand = Vector(-side * distance / 2, 0, random.number(in: -0.2...0.2))
        heading = side * degrees(90) + degrees(random.number(in: -2...2))
        isLeftHanded = random.chance(0.15)
        let faces: [UInt32] = [0xEDE8DC, 0xF4F1EA, 0xE3CFA0, 0xDCD6C4, 0xF0DDB0]
        let frames: [UInt32] = [0xEDE8DC, 0xF4F1EA, 0xB8935A, 0xDCD6C4, 0x9C6B3A]
        let paint = random.integer(in: 0...faces.count - 1)
        board = TossBoard(
            holeOver: Vector(side * distance / 2, 0, random.number(in: -0.2...0.2)),
            heading: side * degrees(90) + degrees(random.number(in: -4...4)), face: Color(hex: faces[paint]),
            frame: Color(hex: frames[paint]))
        bag = Color(hex: random.pick([0xB8201E, 0x1C3FA8, 0x0F6B38, 0xD86A10, 0x3A1650, 0x222428], else: 0xB8201E))
        let walksIn = random.chance(0.6)
        let gate = Vector(-side * random.number(in: 6.4...7), 0, random.number(in: -1.2...1))
        player = Performance(
            body: .random(using: &random),
            placement: walksIn ? Placement(position: gate) : Placement(position: stand, heading: heading),
            swayPhase: random.number(in: 0...6))
        // The board is looked for before anybody throws.
        if walksIn {
            player.walk(to: stand, metersPerSecond: random.number(in: 0.9...1.4), thenFacing: heading)
            player.add(.idle, seconds: random.number(in: 0.8...1.4))
        } else {
            player.add(random.chance(0.5) ? .idle : .talk, seconds: random.number(in: 1.8...2.6))
        }
    }

    /// Picks the bag up, warms up now and then, and throws.
    mutating func throwBag(isFirst: Bool, _ random: inout RandomSource) {
        if !isFirst {
            let seconds = random.number(in: 1.5...2.2)
            heldSince = player.duration + seconds / 2
            player.add(.pickUp, seconds: seconds)
        }
        if random.chance(0.4) {
            for _ in 0..<random.integer(in: 1...2) {
                player.swing(
                    ThrowMotion(
                        style: .underhand, isLeftHanded: isLeftHanded, pace: random.number(in: 0.9...1.3),
                        size: random.number(in: 0.3...0.7)))
            }
        }
        if random.chance(0.3) { player.add(.idle, seconds: random.number(in: 0.5...1.2)) }
        let style = random.pick(ThrowStyle.allCases, else: .underhand)
        let motion = ThrowMotion(
            style: style, isLeftHanded: isLeftHanded, pace: random.number(in: 0.85...1.15),
            aim: random.chance(0.3) ? random.number(in: 0.1...0.5) : 0)
        let release = player.duration + motion.release
        player.swing(motion)
        let hand = player.armature(at: release).grip(isLeft: isLeftHanded)
        flights.append(flight(style, release: release, from: hand, &random))
        holdings.append(heldSince...release)
        player.add(.idle, seconds: random.number(in: 0.9...1.5))
    }

    mutating func end(_ random: inout RandomSource) {
        player.add(.idle, seconds: random.number(in: 0.8...1.4))
    }

    private func flight(
        _ style: ThrowStyle, release: Double, from hand: Vector, _ random: inout RandomSource
    ) -> BagFlight {
        let kind = random.number(in: 0...1)
        let landing: BagLanding = kind < 0.3 ? .hole : kind < 0.75 ? .board : .off
        let height = BagFlight.halfThickness
        let (target, slide): (Vector, Vector)
        switch landing {
        case .hole:
            let miss = Vector(random.number(in: -0.03...0.03), 0, random.number(in: -0.03...0.03))
            (target, slide) = (board.hole + miss + board.normal * height, .zero)
        case .board:
            // Clear of the hole and of the edges, the slide included.
            let u = random.number(in: -0.5...0.05)
            (target, slide) = (
                board.point(u, random.number(in: -0.2...0.2)) + board.normal * height,
                board.along * random.number(in: 0.02...0.1)
            )
        case .off:
            let isWide = random.chance(0.4)
            let u = isWide ? random.number(in: -0.4...0.4) : random.chance(0.6) ? -1.0 : 1.25
            // To the camera's side: behind the board the bag would be hidden.
            let near = board.across.z > 0 ? 0.65 : -0.65
            let v = isWide ? near : random.number(in: -0.3...0.3)
            let spot = board.point(u + random.number(in: -0.12...0.12), v)
            target = Vector(spot.x, height, spot.z)
            slide = Vector(side * random.number(in: 0.05...0.2), 0, 0)
        }
        return BagFlight(
            style: style, release: release, from: hand, to: target,
            angle: degrees(random.number(in: style.launchAngles)), landing: landing, slide: slide)
    }

    var stage: TossStage {
        let left = Vector(sine(heading + degrees(90)), 0, cosine(heading + degrees(90)))
        return TossStage(
            board: board, flights: flights, holdings: holdings, isLeftHanded: isLeftHanded, bag: bag,
            pile: stand + left * -0.1 + Vector(side * 0.45, BagFlight.halfThickness, 0.25))
    }

    /// From about level with the eyes to well above, with the whole field in view.
    func camera(_ settings: SynthScene.Settings, _ random: inout RandomSource) -> SynthCamera {
        let top = flights.map { $0.start.y + $0.velocity.y * $0.velocity.y / (2 * BagFlight.gravity) }.max() ?? 2
        let people = SynthScene.outline(of: [SynthScene.Person(id: 0, performance: player)])
            .filter { abs($0.x - stand.x) < 1.6 }
        return SynthCamera.framing(
            people + board.corners + [Vector(0, min(top + 0.2, 3.4), 0)],
            azimuth: degrees(random.number(in: -10...10)), elevation: degrees(random.number(in: 9...20)),
            looseness: random.number(in: 1...1.1), margin: 0.03, fieldOfView: degrees(random.number(in: 28...42)),
            width: settings.width, height: settings.height,
            shake: random.chance(0.4) ? random.number(in: 0.0006...0.0016) : 0)
    }

    /// People who walk through the picture, mostly behind the game.
    func passers(_ random: inout RandomSource) -> [SynthScene.Person] {
        guard random.chance(0.45) else { return [] }
        return (1...random.integer(in: 1...2)).map { id in
            let from = random.chance(0.5) ? 1.0 : -1
            let z = random.number(in: -3.4 ... -1.7)
            var walk = Performance(
                body: .random(using: &random), placement: Placement(position: Vector(-from * 8.5, 0, z)),
                swayPhase: random.number(in: 0...6))
            walk.add(.idle, seconds: random.number(in: 0.2...max(0.3, player.duration * 0.6)))
            walk.walk(to: Vector(from * 8.5, 0, z), metersPerSecond: random.number(in: 0.9...1.5))
            return SynthScene.Person(id: id, performance: walk)
        }
    }
}

extension Truth {
    /// What really happens in a game of bean-bag toss.
    package struct Toss: Codable, Sendable, Equatable {
        /// One throw.
        package struct Throw: Codable, Sendable, Equatable {
            /// How it is thrown.
            package var type: ThrowStyle
            /// When the bag leaves the hand, seconds.
            package var start: Double
            /// When it meets the board, the hole or the ground, seconds.
            package var end: Double
            /// When it leaves the hand, metres a second.
            package var speed: Double
            /// Its direction above the horizontal when it leaves the hand, degrees.
            package var angle: Double
            /// Where it ends up.
            package var landing: BagLanding
            /// By the game's rules.
            package var score: Int
            /// The bag's middle from release to arrival, frame by frame: time, x, y, normalised, origin at the lower left.
            package var bag: [[Double]]
        }

        /// The corners of the board's face in order round it, the two nearest the player first: x, y, normalised,
        /// origin at the lower left, in the first frame.
        package var board: [[Double]]
        /// The middle of the hole, likewise.
        package var hole: [Double]
        /// The throws in order.
        package var flights: [Throw]
        /// The score of all throws together.
        package var total: Int

        enum CodingKeys: String, CodingKey {
            case board, hole, total
            case flights = "throws"
        }
    }
}

extension SynthScene {
    /// The truth about the game in the scene; nil when there is none.
    package var tossTruth: Truth.Toss? {
        guard let toss else { return nil }
        let first = projection(at: 0)
        func place(_ point: Vector) -> [Double] {
            first.normalized(point).map { [$0.x, $0.y] } ?? []
        }
        let flights = toss.flights.map { flight in
            Truth.Toss.Throw(
                type: flight.style, start: flight.release, end: flight.arrival, speed: flight.speed,
                angle: flight.angle, landing: flight.landing, score: flight.score, bag: track(of: flight))
        }
        return Truth.Toss(
            board: toss.board.corners.map(place), hole: place(toss.board.hole), flights: flights,
            total: flights.reduce(0) { $0 + $1.score })
    }

    private func track(of flight: BagFlight) -> [[Double]] {
        (0..<frameCount).compactMap { frame in
            let time = frameRate.seconds(atFrame: frame)
            guard (flight.release...flight.arrival).contains(time), let place = flight.place(at: time),
                let spot = projection(at: frame).normalized(place)
            else { return nil }
            return [time, spot.x, spot.y]
        }
    }
}

extension BagFlight {
    /// 1 on the board and 3 through the hole, 5 and 15 when thrown under the leg.
    var score: Int {
        switch landing {
        case .off: 0
        case .board: style == .underleg ? 5 : 1
        case .hole: style == .underleg ? 15 : 3
        }
    }
}
