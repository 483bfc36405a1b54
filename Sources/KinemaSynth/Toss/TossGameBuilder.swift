internal import KinemaCore
internal import KinemaDraw

struct TossGameBuilder {
    private(set) var player: Performance
    private let board: TossBoard
    /// 1 for throws to the right of the picture, -1 for the left.
    private let side: Double
    private let stand: Vector
    private let heading: Double
    private let isLeftHanded: Bool
    private let bag: Color
    private var flights: [BagFlight] = []
    private var holdings: [ClosedRange<Double>] = []
    /// The time of the pick-up, in seconds.
    private var heldSince = 0.0

    init(_ random: inout RandomSource, _ look: BoardLook, seed: UInt64) {
        // A separate source, so that a game is the same however its board looks.
        var paints = RandomSource(seed: seed &+ 0xB0A2D)
        side = random.chance(0.6) ? 1 : -1
        // The rules require 25 feet to the hole; in gardens it is usually less.
        let distance = random.number(in: 6.2...7.62)
        stand = Vector(-side * distance / 2, 0, random.number(in: -0.2...0.2))
        heading = side * degrees(90) + degrees(random.number(in: -2...2))
        isLeftHanded = random.chance(0.15)
        let faces: [UInt32] = [0xEDE8DC, 0xF4F1EA, 0xE3CFA0, 0xDCD6C4, 0xF0DDB0]
        let frames: [UInt32] = [0xEDE8DC, 0xF4F1EA, 0xB8935A, 0xDCD6C4, 0x9C6B3A]
        let paint = random.integer(in: 0...faces.count - 1)
        let colors = look.colors(&paints) ?? (Color(hex: faces[paint]), Color(hex: frames[paint]))
        board = TossBoard(
            holeOver: Vector(side * distance / 2, 0, random.number(in: -0.2...0.2)),
            heading: side * degrees(90) + degrees(random.number(in: -4...4)), face: colors.face, frame: colors.frame,
            look: look)
        bag = Color(hex: random.pick([0xB8201E, 0x1C3FA8, 0x0F6B38, 0xD86A10, 0x3A1650, 0x222428]))
        let walksIn = random.chance(0.6)
        let gate = Vector(-side * random.number(in: 6.4...7), 0, random.number(in: -1.2...1))
        player = Performance(
            body: .random(using: &random),
            placement: walksIn ? Placement(position: gate) : Placement(position: stand, heading: heading),
            swayPhase: random.number(in: 0...6))
        // The board must be found before the first throw.
        if walksIn {
            player.walk(to: stand, metersPerSecond: random.number(in: 0.9...1.4), thenFacing: heading)
            player.add(.idle, seconds: random.number(in: 0.8...1.4))
        } else {
            player.add(random.chance(0.5) ? .idle : .talk, seconds: random.number(in: 1.8...2.6))
        }
    }

    /// Adds picking up the bag, sometimes practice swings, and a throw.
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
        let style = random.pick(ThrowStyle.allCases)
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

    mutating func end(_ random: inout RandomSource) { player.add(.idle, seconds: random.number(in: 0.8...1.4)) }

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
            // Keep clear of the hole and the edges, including the slide.
            let u = random.number(in: -0.5...0.05)
            (target, slide) = (
                board.point(u, random.number(in: -0.2...0.2)) + board.normal * height,
                board.along * random.number(in: 0.02...0.1)
            )
        case .off:
            let isWide = random.chance(0.4)
            let u = isWide ? random.number(in: -0.4...0.4) : random.chance(0.6) ? -1.0 : 1.25
            // On the camera's side, because the board would hide a bag behind it.
            let near = board.across.z > 0 ? 0.65 : -0.65
            let v = isWide ? near : random.number(in: -0.3...0.3)
            let point = board.point(u + random.number(in: -0.12...0.12), v)
            target = Vector(point.x, height, point.z)
            slide = Vector(side * random.number(in: 0.05...0.2), 0, 0)
        }
        return BagFlight(
            style: style,
            path: BallisticFlight(
                start: release, from: hand, to: target, angle: degrees(random.number(in: style.launchAngles)),
                leastRise: 0.05),
            landing: landing, slide: slide)
    }

    var stage: TossStage {
        let left = Vector(sine(heading + degrees(90)), 0, cosine(heading + degrees(90)))
        return TossStage(
            board: board, flights: flights, holdings: holdings, isLeftHanded: isLeftHanded, bag: bag,
            pile: stand + left * -0.1 + Vector(side * 0.45, BagFlight.halfThickness, 0.25), stand: stand)
    }

    /// A camera from about eye level to well above, with the whole field in view.
    func camera(_ settings: SynthScene.Settings, _ random: inout RandomSource) -> SynthCamera {
        let gravity = BallisticFlight.gravity
        let tops = flights.map { flight in
            let (height, speed) = (flight.path.origin.y, flight.path.velocity.y)
            return height + speed * speed / (2 * gravity)
        }
        let top = tops.max() ?? 2
        let people = SynthScene.outline(of: [SynthScene.Person(id: 0, performance: player)])
            .filter { abs($0.x - stand.x) < 1.6 }
        let azimuth = degrees(random.number(in: -10...10))
        return SynthCamera.framing(
            people + board.corners + [Vector(0, min(top + 0.2, 3.4), 0)],
            // Farther to the side on which the board's end is nearer.
            azimuth: board.look == .slanted ? azimuth + side * degrees(35) : azimuth,
            elevation: degrees(random.number(in: 9...20)),
            distanceFactor: random.number(in: 1...1.1), margin: 0.03, fieldOfView: degrees(random.number(in: 28...42)),
            width: settings.width, height: settings.height,
            shake: random.chance(0.4) ? random.number(in: 0.0006...0.0016) : 0)
    }

    /// Passers-by, mostly behind the game.
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
