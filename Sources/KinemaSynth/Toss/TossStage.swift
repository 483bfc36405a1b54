internal import KinemaDraw

/// What a game of toss adds to a scene: the board, the bags, and who throws them.
struct TossStage: Sendable {
    let board: TossBoard
    /// The throws in order of time.
    let flights: [BagFlight]
    /// When a bag is in the hand: from the pick-up, or the scene's start, to the release.
    let holdings: [ClosedRange<Double>]
    let isLeftHanded: Bool
    let bag: Color
    /// Bags that wait beside the player's feet, one fewer with each pick-up.
    let pile: Vector

    /// The bags as they lie, fly and are held at a moment.
    func solids(at time: Double, player: Armature) -> [Solid] {
        var solids: [Solid] = []
        if holdings.contains(where: { $0.contains(time) }) {
            solids += held(in: player)
        }
        for flight in flights where time > flight.release {
            guard let place = flight.place(at: time) else { continue }
            solids += time < flight.arrival ? flying(place, turn: flight.turn(at: time)) : lying(place, flight.landing)
        }
        let waiting = holdings.dropFirst().count { $0.lowerBound > time }
        for index in 0..<waiting {
            solids += lying(pile + Vector(0.05 * Double(index % 2), 0.05 * Double(index), 0), .off)
        }
        return solids
    }

    private func held(in player: Armature) -> [Solid] {
        let place = player.grip(isLeft: isLeftHanded) - Vector(0, 0.03, 0)
        let (half, side) = (Vector(0, 0.015, 0), Vector(0.02, 0, 0))
        return [
            Solid(place - half, place + half, 0.05, 0.05, bag),
            Solid(place - side, place + side, 0.05, 0.05, bag),
        ]
    }

    /// A square of 15 cm, tumbling.
    private func flying(_ place: Vector, turn: Double) -> [Solid] {
        let one = Vector(cosine(turn), sine(turn), 0.3).unit
        let other = Vector(-sine(turn), cosine(turn), 0.6).unit
        let (long, side) = (one * 0.035, other * 0.03)
        return [-1.0, 0, 1].map { share -> Solid in
            let middle = place + side * share
            return Solid(middle - long, middle + long, 0.036, 0.036, bag)
        }
    }

    private func lying(_ place: Vector, _ landing: BagLanding) -> [Solid] {
        let (u, v) = landing == .board ? (board.along, board.across) : (Vector(1, 0, 0), Vector(0, 0, 1))
        return [-0.04, 0, 0.04].map { side -> Solid in
            let middle = place + v * side
            let half = u * 0.045
            return Solid(middle - half, middle + half, BagFlight.halfThickness, BagFlight.halfThickness, bag)
        }
    }
}
