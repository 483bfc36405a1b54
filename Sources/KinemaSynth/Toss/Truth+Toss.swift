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
