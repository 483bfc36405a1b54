import Foundation

/// The field in metres, as one throw shows it: the camera, the board, and the bag's flight.
///
/// The model: a camera that looks down by an unknown angle; a board of known size whose short edges are level and which
/// rises by about 10.8 degrees (3 to 12 inches over 4 feet, American Cornhole Association); a bag that only gravity moves.
/// Gravity gives the scale of the flight more exactly than a board of a few dozen pixels could, the board gives the
/// camera's angle, and both have to agree. In the sample the scale is the length of one edge of the board.
struct TossField: Sendable {
    var camera: FieldCamera
    var board: FieldBoard
    var flight: FieldFlight
    /// How far the spots lie from the path, root mean square, picture heights.
    var deviation = 0.0

    private let aspectRatio: Double
    private let rules: TossRules

    /// 229 mm over 1.22 m.
    private static let usualTilt = asin(0.229 / 1.22)
    /// How exactly corners and bags are located, picture heights: about a pixel at 720 rows.
    private static let exactness = 0.0014

    /// Where the bag was found afterwards.
    enum Resting: Sendable {
        /// On the face or in the hole: metres along it and across it from its middle.
        case face(CGPoint)
        /// On the ground, seen at a place: normalised, origin at the lower left.
        case ground(CGPoint)
    }

    /// Fits the field to a board, the spots of one flight and, when it is known, where the bag came to rest; nil when
    /// there are fewer than five spots.
    init?(
        board place: TossBoardPlace, spots: [TossTrajectory.Spot], resting: Resting? = nil, aspectRatio: Double,
        rules: TossRules
    ) {
        guard spots.count >= 5, let first = spots.first, let last = spots.last, last.time > first.time,
            let sight = BoardSight(place, aspectRatio: aspectRatio, rules: rules)
        else { return nil }
        self.aspectRatio = aspectRatio
        self.rules = rules
        func centred(_ point: CGPoint) -> CGPoint {
            CGPoint(x: (point.x - 0.5) * aspectRatio, y: point.y - 0.5)
        }
        let seen = spots.map { (time: $0.time, point: centred($0.point)) }
        let still = Self.fitBoard(sight)
        (camera, board) = Self.parts(still)
        let depth = board.middle.z * cos(camera.pitch) - board.middle.y * sin(camera.pitch)
        let start = camera.point(at: centred(first.point), depth: depth)
        let end = camera.point(at: centred(last.point), depth: depth)
        let seconds = last.time - first.time
        let velocity = (end - start) / seconds + FieldPoint(0, FieldFlight.gravity * seconds / 2, 0)
        let solution = LeastSquares.minimize(
            from: still + [start.x, start.y, start.z, velocity.x, velocity.y, velocity.z]
        ) { parameters in
            let (camera, board) = Self.parts(parameters)
            let flight = Self.flight(parameters, time: first.time)
            var errors = Self.boardErrors(parameters, sight)
            for spot in seen {
                let place = camera.seen(flight.place(at: spot.time))
                errors.append(Self.robust((place.x - spot.point.x) / Self.exactness))
                errors.append(Self.robust((place.y - spot.point.y) / Self.exactness))
            }
            // People throw towards the board: where the path is down at its height it is near it.
            // Where it lies it came down, but for what it slid.
            let target = resting.flatMap { Self.place($0, camera, board, centred) }
            let miss = Self.miss(flight, target ?? board.middle)
            let slip = target == nil ? 0.8 : 0.15
            return errors + [miss.x / slip, miss.z / slip]
        }
        (camera, board) = Self.parts(solution.parameters)
        flight = Self.flight(solution.parameters, time: first.time)
        let squares = seen.map { spot in
            let place = camera.seen(flight.place(at: spot.time))
            return pow(place.x - spot.point.x, 2) + pow(place.y - spot.point.y, 2)
        }
        deviation = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    /// Where the bag is seen at a time: normalised, origin at the lower left.
    func point(at time: TimeInterval) -> CGPoint {
        let place = camera.seen(flight.place(at: time))
        return CGPoint(x: place.x / aspectRatio + 0.5, y: place.y + 0.5)
    }

    /// The bag's speed at a time, metres a second.
    func speed(at time: TimeInterval) -> Double { flight.velocity(at: time).length }

    /// The bag's direction above the horizontal at a time, degrees.
    func angle(at time: TimeInterval) -> Double {
        let velocity = flight.velocity(at: time)
        return atan2(velocity.y, hypot(velocity.x, velocity.z)) * 180 / .pi
    }

    /// How far from the camera the bag starts, as a share of the board's distance.
    var relativeDepth: Double { flight.place.z / board.middle.z }
}

// MARK: - Fitting

extension TossField {
    private static func parts(_ p: [Double]) -> (FieldCamera, FieldBoard) {
        (
            FieldCamera(focal: exp(p[0]), pitch: p[1], roll: p[2]),
            FieldBoard(middle: FieldPoint(p[3], p[4], p[5]), yaw: p[6], tilt: p[7])
        )
    }

    private static func flight(_ p: [Double], time: TimeInterval) -> FieldFlight {
        FieldFlight(time: time, place: FieldPoint(p[8], p[9], p[10]), velocity: FieldPoint(p[11], p[12], p[13]))
    }

    /// The board alone, from several guesses of the camera.
    private static func fitBoard(_ sight: BoardSight) -> [Double] {
        var best: LeastSquares.Solution?
        for focal in [1.0, 1.6, 2.4] {
            for pitch in [0.12, 0.3] {
                let camera = FieldCamera(focal: focal, pitch: pitch, roll: 0)
                let depth = focal * sight.length / max(sight.edge, 1e-3)
                let middle = camera.point(at: sight.middle, depth: depth)
                let start = [log(focal), pitch, 0, middle.x, middle.y, middle.z, sight.yaw, usualTilt]
                let solution = LeastSquares.minimize(from: start) { boardErrors($0, sight) }
                if solution.cost < best?.cost ?? .infinity { best = solution }
            }
        }
        return best?.parameters ?? [Double](repeating: 0, count: 8)
    }

    /// What is known beforehand counts as measured too: cameras see 28 to 55 degrees high, stand level, and look down.
    private static func boardErrors(_ p: [Double], _ sight: BoardSight) -> [Double] {
        let (camera, board) = parts(p)
        var errors = [(p[0] - log(1.4)) / 0.35, (p[1] - 0.2) / 0.25, p[2] / 0.012, (p[7] - usualTilt) / 0.03]
        for (mark, place) in sight.marks {
            let seen = camera.seen(board.point(mark.x, mark.y))
            errors.append(robust((seen.x - place.x) / exactness))
            errors.append(robust((seen.y - place.y) / exactness))
        }
        return errors
    }

    /// Huber's: what lies far off pulls no stronger than three times the usual.
    private static func robust(_ error: Double) -> Double {
        let size = abs(error)
        guard size > 3 else { return error }
        return (error < 0 ? -1 : 1) * (6 * size - 9).squareRoot()
    }

    /// Where a resting bag is in space; nil when it is seen above the horizon.
    private static func place(
        _ resting: Resting, _ camera: FieldCamera, _ board: FieldBoard, _ centred: (CGPoint) -> CGPoint
    ) -> FieldPoint? {
        switch resting {
        case .face(let spot): return board.point(spot.x, spot.y) + board.normal * bagRadius
        case .ground(let point):
            let ray = camera.point(at: centred(point), depth: 1)
            // The near end's face is 3 inches high.
            let height = board.point(-0.61, 0).y - 0.076 + bagRadius
            guard ray.y < -0.01 else { return nil }
            return ray * (height / ray.y)
        }
    }

    /// From a target to where the path comes down to its height.
    private static func miss(_ flight: FieldFlight, _ target: FieldPoint) -> FieldPoint {
        let fall = flight.place.y - target.y
        let root = max(flight.velocity.y * flight.velocity.y + 2 * FieldFlight.gravity * fall, 0).squareRoot()
        let time = (flight.velocity.y + root) / FieldFlight.gravity
        return flight.place(at: flight.time + time) - target
    }
}

// MARK: - Landing

extension TossField {
    /// Half a bag's thickness, metres: a bag is about 6 inches square and a bit over 2 thick when it lands flat.
    private static let bagRadius = 0.03

    /// Where the path ends: the landing, when, and where in the picture (normalised, origin at the lower left).
    func landing() -> (landing: TossLanding, time: TimeInterval, point: CGPoint) {
        let down = timeOfFall { board.local($0).height }
        let spot = board.local(flight.place(at: down))
        let (halfLength, halfWidth) = (rules.boardLength / 2, rules.boardWidth / 2)
        if abs(spot.u) <= halfLength, abs(spot.v) <= halfWidth {
            let off = hypot(spot.u - (halfLength - rules.holeInset), spot.v)
            // A bag whose middle is over the hole, or hardly beside it, falls in.
            let isIn = off <= rules.holeDiameter / 2 + 0.03
            return (isIn ? .hole : .board, down, point(at: down))
        }
        let low = board.point(-halfLength, 0).y - 0.076
        let ground = timeOfFall { $0.y - low }
        return (.off, ground, point(at: ground))
    }

    /// When the falling bag is as low over something as bags lie.
    private func timeOfFall(_ height: (FieldPoint) -> Double) -> TimeInterval {
        let apex = max(flight.velocity.y / FieldFlight.gravity, 0)
        var (early, late) = (apex, apex + 3)
        for _ in 0..<40 {
            let middle = (early + late) / 2
            if height(flight.place(at: flight.time + middle)) > Self.bagRadius { early = middle } else { late = middle }
        }
        return flight.time + late
    }
}
