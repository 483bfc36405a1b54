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
