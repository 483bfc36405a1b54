import Foundation

/// A throw reconstructed in metres: the camera, the board and the bag's flight.
///
/// The model is a tilted camera, a board of known size with level short edges that rises by about 10.8 degrees (3 to 12
/// inches over 4 feet, American Cornhole Association), and a bag that only gravity moves. Gravity gives the scale, the
/// board the camera's angle; the sample takes the scale from one board edge.
struct TossField: Sendable {
    var camera: FieldCamera
    var board: FieldBoard
    var flight: FieldFlight
    /// The root mean square distance of the samples from the path, in picture heights.
    var deviation = 0.0

    private let aspectRatio: Double
    private let rules: TossRules

    /// 229 mm over 1.22 m.
    private static let nominalTilt = asin(0.229 / 1.22)
    /// The standard error of corners and bags, in picture heights: about a pixel at 720 rows.
    private static let locationError = 0.0014

    enum RestingPosition: Sendable {
        /// On the face or in the hole, in metres along and across from the centre of the face.
        case face(CGPoint)
        /// On the ground, at a point of the picture: normalised, origin at the lower left.
        case ground(CGPoint)
    }

    /// Fits the field to a board, one flight's samples and the bag's resting position; nil below five samples.
    init?(
        board observation: TossBoardObservation, samples: [TossTrajectory.Sample], resting: RestingPosition? = nil,
        aspectRatio: Double, rules: TossRules
    ) {
        guard samples.count >= 5, let first = samples.first, let last = samples.last, last.time > first.time,
            let correspondences = BoardCorrespondences(observation, aspectRatio: aspectRatio, rules: rules)
        else { return nil }
        (self.aspectRatio, self.rules) = (aspectRatio, rules)
        let measured = samples.map { (time: $0.time, point: $0.point.centred(aspectRatio: aspectRatio)) }
        let initial = Self.fitBoard(correspondences).parameters
        (camera, board) = Self.cameraAndBoard(initial)
        let depth = board.centre.z * cos(camera.pitch) - board.centre.y * sin(camera.pitch)
        let start = camera.point(at: measured[0].point, depth: depth)
        let end = camera.point(at: measured[measured.count - 1].point, depth: depth)
        let seconds = last.time - first.time
        let velocity = (end - start) / seconds + FieldPoint(0, FieldFlight.gravity * seconds / 2, 0)
        let solution = LeastSquares.minimize(
            from: initial + [start.x, start.y, start.z, velocity.x, velocity.y, velocity.z]
        ) { parameters in
            let (camera, board) = Self.cameraAndBoard(parameters)
            let flight = Self.flight(parameters, time: first.time)
            var errors = Self.boardErrors(parameters, correspondences)
            for sample in measured {
                let image = camera.project(flight.position(at: sample.time))
                errors.append(Self.robust((image.x - sample.point.x) / Self.locationError))
                errors.append(Self.robust((image.y - sample.point.y) / Self.locationError))
            }
            // People throw towards the board, so the path comes down near it, or where the bag came to rest.
            let target = resting.flatMap { Self.position($0, camera, board, aspectRatio: aspectRatio) }
            let miss = Self.miss(flight, target ?? board.centre)
            let slide = target == nil ? 0.8 : 0.15
            return errors + [miss.x / slide, miss.z / slide]
        }
        (camera, board) = Self.cameraAndBoard(solution.parameters)
        flight = Self.flight(solution.parameters, time: first.time)
        let squares = measured.map { sample in
            let image = camera.project(flight.position(at: sample.time))
            return pow(image.x - sample.point.x, 2) + pow(image.y - sample.point.y, 2)
        }
        deviation = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    /// The bag's position in the picture at a time: normalised, origin at the lower left.
    func point(at time: TimeInterval) -> CGPoint {
        let image = camera.project(flight.position(at: time))
        return CGPoint(x: image.x / aspectRatio + 0.5, y: image.y + 0.5)
    }

    /// The bag's speed at a time, in metres per second.
    func speed(at time: TimeInterval) -> Double { flight.velocity(at: time).length }

    /// The bag's direction above the horizontal at a time, in degrees.
    func angle(at time: TimeInterval) -> Double {
        let velocity = flight.velocity(at: time)
        return atan2(velocity.y, hypot(velocity.x, velocity.z)) * 180 / .pi
    }

    /// The depth at which the bag starts, as a share of the board's depth.
    var relativeDepth: Double { flight.position.z / board.centre.z }
}

// MARK: - Fitting

extension TossField {
    private static func cameraAndBoard(_ p: [Double]) -> (FieldCamera, FieldBoard) {
        (
            FieldCamera(focal: exp(p[0]), pitch: p[1], roll: p[2]),
            FieldBoard(centre: FieldPoint(p[3], p[4], p[5]), yaw: p[6], tilt: p[7])
        )
    }

    private static func flight(_ p: [Double], time: TimeInterval) -> FieldFlight {
        FieldFlight(time: time, position: FieldPoint(p[8], p[9], p[10]), velocity: FieldPoint(p[11], p[12], p[13]))
    }

    static func cameraAndBoard(of correspondences: BoardCorrespondences) -> (FieldCamera, FieldBoard) {
        cameraAndBoard(fitBoard(correspondences).parameters)
    }

    /// The misfit of a board and a camera: half the sum of the squared errors, each divided by its standard error.
    static func misfit(of correspondences: BoardCorrespondences) -> Double { fitBoard(correspondences).cost }

    /// Fits the camera and the board alone, from several initial guesses of the camera.
    private static func fitBoard(_ correspondences: BoardCorrespondences) -> LeastSquares.Solution {
        var best: LeastSquares.Solution?
        for focal in [1.0, 1.6, 2.4] {
            for pitch in [0.12, 0.3] {
                let camera = FieldCamera(focal: focal, pitch: pitch, roll: 0)
                let depth = focal * correspondences.length / max(correspondences.imageLength, 1e-3)
                let centre = camera.point(at: correspondences.centre, depth: depth)
                let start = [log(focal), pitch, 0, centre.x, centre.y, centre.z, correspondences.yaw, nominalTilt]
                let solution = LeastSquares.minimize(from: start) { boardErrors($0, correspondences) }
                if solution.cost < best?.cost ?? .infinity { best = solution }
            }
        }
        return best ?? LeastSquares.Solution(parameters: [Double](repeating: 0, count: 8), cost: .infinity)
    }

    /// The residuals of the board and of the priors: cameras see 28 to 55 degrees vertically, level and downward.
    private static func boardErrors(_ p: [Double], _ correspondences: BoardCorrespondences) -> [Double] {
        let (camera, board) = cameraAndBoard(p)
        var errors = [(p[0] - log(1.4)) / 0.35, (p[1] - 0.2) / 0.25, p[2] / 0.012, (p[7] - nominalTilt) / 0.03]
        for (point, image) in correspondences.pairs {
            let projected = camera.project(board.point(point.x, point.y))
            errors.append(robust((projected.x - image.x) / locationError))
            errors.append(robust((projected.y - image.y) / locationError))
        }
        return errors
    }

    /// The Huber loss as a residual: beyond three standard errors it grows linearly.
    private static func robust(_ error: Double) -> Double {
        let size = abs(error)
        guard size > 3 else { return error }
        return (error < 0 ? -1 : 1) * (6 * size - 9).squareRoot()
    }

    /// The position of a resting bag in space; nil if it appears above the horizon.
    private static func position(
        _ resting: RestingPosition, _ camera: FieldCamera, _ board: FieldBoard, aspectRatio: Double
    ) -> FieldPoint? {
        switch resting {
        case .face(let point): return board.point(point.x, point.y) + board.normal * bagRadius
        case .ground(let point):
            let ray = camera.point(at: point.centred(aspectRatio: aspectRatio), depth: 1)
            // The face is 3 inches high at its near end.
            let height = board.point(-0.61, 0).y - 0.076 + bagRadius
            guard ray.y < -0.01 else { return nil }
            return ray * (height / ray.y)
        }
    }

    /// The displacement from a target to where the path comes down to its height.
    private static func miss(_ flight: FieldFlight, _ target: FieldPoint) -> FieldPoint {
        let fall = flight.position.y - target.y
        let root = max(flight.velocity.y * flight.velocity.y + 2 * FieldFlight.gravity * fall, 0).squareRoot()
        let time = (flight.velocity.y + root) / FieldFlight.gravity
        return flight.position(at: flight.time + time) - target
    }
}

// MARK: - Landing

extension TossField {
    /// Half a bag's thickness, in metres: a bag is about 6 inches square and a little over 2 thick when it lands flat.
    static let bagRadius = 0.03

    /// The end of the path: the surface, the time and the place in the picture (normalised, origin at the lower left).
    func landing() -> (landing: TossLanding, time: TimeInterval, point: CGPoint) {
        let down = timeOfFall { board.local($0).height }
        let local = board.local(flight.position(at: down))
        let (halfLength, halfWidth) = (rules.boardLength / 2, rules.boardWidth / 2)
        if abs(local.u) <= halfLength, abs(local.v) <= halfWidth {
            let distance = hypot(local.u - rules.holeCentre.x, local.v)
            // A bag falls in if its centre is over the hole or just beside it.
            let isIn = distance <= rules.holeDiameter / 2 + 0.03
            return (isIn ? .hole : .board, down, point(at: down))
        }
        let low = board.point(-halfLength, 0).y - 0.076
        let ground = timeOfFall { $0.y - low }
        return (.off, ground, point(at: ground))
    }

    /// The time at which the falling bag comes within half its thickness of a surface.
    private func timeOfFall(_ height: (FieldPoint) -> Double) -> TimeInterval {
        let apex = max(flight.velocity.y / FieldFlight.gravity, 0)
        var (early, late) = (apex, apex + 3)
        for _ in 0..<40 {
            let middle = (early + late) / 2
            if height(flight.position(at: flight.time + middle)) > Self.bagRadius {
                early = middle
            } else {
                late = middle
            }
        }
        return flight.time + late
    }
}
