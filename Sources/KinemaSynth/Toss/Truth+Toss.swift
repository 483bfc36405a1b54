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
