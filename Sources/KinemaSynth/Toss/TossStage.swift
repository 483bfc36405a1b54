internal import KinemaDraw

struct TossStage: Sendable {
    let board: TossBoard
    let flights: [BagFlight]
    /// The times with a bag in the hand: from the pick-up, or the start of the scene, to the release.
    let holdings: [ClosedRange<Double>]
    let isLeftHanded: Bool
    let bag: Color
    /// The pile of bags beside the player's feet, one fewer after each pick-up.
    let pile: Vector
    let stand: Vector

    /// The ends of the line on the ground 25 feet from the hole: 3 feet for a pitcher's box on each side of the board's 2.
    var line: [Vector] {
        let middle = Vector(board.hole.x, 0, board.hole.z) - board.along.level.unit * 7.62
        return [middle - board.across * 1.22, middle + board.across * 1.22]
    }

    func solids(at time: Double, player: Armature) -> [Solid] {
        var solids: [Solid] = []
        if holdings.contains(where: { $0.contains(time) }) { solids += held(in: player) }
        for flight in flights where time > flight.path.start {
            guard let position = flight.position(at: time) else { continue }
            solids +=
                time < flight.path.end ? flying(position, turn: flight.turn(at: time)) : lying(position, flight.landing)
        }
        let waiting = holdings.dropFirst().count { $0.lowerBound > time }
        for index in 0..<waiting {
            solids += lying(pile + Vector(0.05 * Double(index % 2), 0.05 * Double(index), 0), .off)
        }
        return solids
    }

    private func held(in player: Armature) -> [Solid] {
        let position = player.grip(isLeft: isLeftHanded) - Vector(0, 0.03, 0)
        let (half, side) = (Vector(0, 0.015, 0), Vector(0.02, 0, 0))
        return [
            Solid(position - half, position + half, 0.05, 0.05, bag),
            Solid(position - side, position + side, 0.05, 0.05, bag),
        ]
    }

    /// A tumbling square of 15 cm.
    private func flying(_ position: Vector, turn: Double) -> [Solid] {
        let one = Vector(cosine(turn), sine(turn), 0.3).unit
        let other = Vector(-sine(turn), cosine(turn), 0.6).unit
        let (long, side) = (one * 0.035, other * 0.03)
        return [-1.0, 0, 1].map { share -> Solid in
            let centre = position + side * share
            return Solid(centre - long, centre + long, 0.036, 0.036, bag)
        }
    }

    private func lying(_ position: Vector, _ landing: BagLanding) -> [Solid] {
        let (u, v) = landing == .board ? (board.along, board.across) : (Vector(1, 0, 0), Vector(0, 0, 1))
        return [-0.04, 0, 0.04].map { side -> Solid in
            let centre = position + v * side
            let half = u * 0.045
            return Solid(centre - half, centre + half, BagFlight.halfThickness, BagFlight.halfThickness, bag)
        }
    }
}

extension Truth {
    package struct Toss: Codable, Sendable, Equatable {
        package struct Throw: Codable, Sendable, Equatable {
            package var type: ThrowStyle
            /// The release, and the landing, in seconds.
            package var start, end: Double
            /// The release speed, in metres per second.
            package var speed: Double
            /// The release direction above the horizontal, in degrees.
            package var angle: Double
            /// The distance along the ground from the hand to where it came down, in metres.
            package var distance: Double
            package var landing: BagLanding
            package var score: Int
            /// The bag's centre in each frame of its flight: time, x, y, normalised, origin at the lower left.
            package var bag: [[Double]]
        }

        /// The corners of the board's face, nearest first: x, y, normalised, origin at the lower left.
        package var board: [[Double]]
        /// The centre of the hole, likewise.
        package var hole: [Double]
        /// The player's distance from the hole along the ground, in metres.
        package var playerDistance: Double
        /// The ends of the line 25 feet from the hole, as wide as board and pitcher's boxes: x, y, normalised, origin
        /// at the lower left.
        package var line: [[Double]]
        package var flights: [Throw]
        package var total: Int

        enum CodingKeys: String, CodingKey {
            case board, hole, playerDistance, line, total
            case flights = "throws"
        }
    }
}

extension SynthScene {
    package var tossTruth: Truth.Toss? {
        guard let toss else { return nil }
        let first = projection(at: 0)
        func image(of point: Vector) -> [Double] { first.normalized(point).map { [$0.x, $0.y] } ?? [] }
        let flights = toss.flights.map { flight in
            Truth.Toss.Throw(
                type: flight.style, start: flight.path.start, end: flight.path.end, speed: flight.speed,
                angle: flight.angle, distance: flight.distance, landing: flight.landing, score: flight.score,
                bag: track(of: flight))
        }
        return Truth.Toss(
            board: toss.board.corners.map(image), hole: image(of: toss.board.hole),
            playerDistance: (toss.stand - toss.board.hole).level.length, line: toss.line.map(image),
            flights: flights, total: flights.reduce(0) { $0 + $1.score })
    }

    private func track(of flight: BagFlight) -> [[Double]] {
        (0..<frameCount).compactMap { frame in
            let time = frameRate.seconds(atFrame: frame)
            let image = flight.path.position(at: time).flatMap { projection(at: frame).normalized($0) }
            return image.map { [time, $0.x, $0.y] }
        }
    }
}

extension BagFlight {
    /// The score: 1 on the board and 3 through the hole, or 5 and 15 for throws under the leg.
    var score: Int {
        switch landing {
        case .off: 0
        case .board: style == .underleg ? 5 : 1
        case .hole: style == .underleg ? 15 : 3
        }
    }
}
