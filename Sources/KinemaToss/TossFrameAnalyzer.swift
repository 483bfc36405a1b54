import KinemaImaging
import KinemaVision
package import Foundation
package import KinemaCore
package import KinemaMedia

/// Extracts the observations of each frame for the game: the board, camera stability, flying objects and the ground.
package struct TossFrameAnalyzer: Sendable {
    private let finder: BoardFinder
    private let flights: DetectTrajectoriesRequest
    /// Of the left and the right third: a rolling camera moves them in opposite directions, and their mean not at all.
    private let registrations: [TrackTranslationalImageRegistrationRequest]
    private var motion = CameraMotion()
    private var lastShift: TimeInterval?
    private var detections: [TossBoardObservation] = []
    private var searches = 0
    /// The number of consecutive inconsistent detections.
    private var strayDetections = 0
    private var board: TossBoardObservation?
    private var lastSearch = -Double.infinity
    private var lastSurroundings = -Double.infinity

    /// The time between searches for the board, in seconds: outlines at six levels take longer than a frame lasts.
    private static let searchInterval = 0.15
    /// The number of consistent detections to average, which removes the noise from the corners.
    private static let requiredDetections = 3
    /// The number of searches after which a box known in advance is used as the board.
    private static let maximumSearches = 10
    /// The largest distance between the corners of consistent detections, as a share of the picture.
    private static let cornerTolerance = 0.01
    /// The time between pictures of the ground, in seconds: a few before and after a throw are enough.
    private static let surroundingsInterval = 0.09

    /// The time between measured shifts once the board is found, in seconds; a hand shakes more slowly.
    private static let shiftInterval = 0.1

    /// Whether the camera moves, or moved long enough to miss throws.
    package var cameraMoves: Bool { motion.hasMoved || isBoardRestless }

    /// Whether the board is seen each time at another place.
    private var isBoardRestless: Bool { board == nil && strayDetections >= Self.requiredDetections }

    /// Whether a board fills the picture and none is part of a game.
    package private(set) var isBoardOnly = false

    /// Makes an analyser; `box` is the rough position of the board, nil searches the whole picture.
    package init(rules: TossRules = TossRules(), box: CGRect? = nil) {
        finder = BoardFinder(rules: rules, box: box)
        registrations = [0, 2.0 / 3].map { left in
            let request = TrackTranslationalImageRegistrationRequest()
            request.regionOfInterest = NormalizedRect(x: left, y: 0, width: 1.0 / 3, height: 1)
            return request
        }
        flights = DetectTrajectoriesRequest(trajectoryLength: rules.trajectoryLength)
    }

    /// Returns the observations of a frame, which include `poses`; throws the errors of the requests.
    package mutating func analyze(_ frame: VideoFrame, poses: [Pose]) throws -> TossFrame {
        if board == nil, frame.time - lastSearch >= Self.searchInterval {
            lastSearch = frame.time
            // A person in view beside the board means that the camera is not above it.
            add(try finder.board(in: frame, mayFillPicture: poses.isEmpty), isAlone: poses.isEmpty)
        }
        try measureShift(of: frame)
        var surroundings: BoardSurroundings?
        if let board, frame.time - lastSurroundings >= Self.surroundingsInterval {
            lastSurroundings = frame.time
            surroundings = BoardSurroundings(of: board, in: try frame.bitmap())
        }
        return TossFrame(
            time: frame.time, board: board, isStable: motion.state == .resting,
            cameraMoves: motion.state == .moving || isBoardRestless,
            isBoardOnly: isBoardOnly, poses: poses, trajectories: trajectories(in: frame), surroundings: surroundings)
    }

    private mutating func measureShift(of frame: VideoFrame) throws {
        if board != nil, let lastShift, frame.time - lastShift < Self.shiftInterval - 1e-6 { return }
        lastShift = frame.time
        // A camera moves both, a person who walks one of them.
        var least: Double?
        for registration in registrations {
            // Pictures with nothing in common show a cut or a blank wall, not a moving camera.
            guard let movement = try registration.translation(in: frame), movement.confidence > 0 else { continue }
            let shift = movement.alignmentTransform
            let length = hypot(shift.tx, shift.ty) / Double(max(1, frame.height))
            if length.isFinite { least = min(least ?? length, length) }
        }
        motion.add(shift: least, at: frame.time)
    }

    private mutating func add(_ detection: TossBoardObservation?, isAlone: Bool) {
        searches += 1
        if let detection, isAlone || detection.area <= finder.rules.largestBoard { add(detection) }
        // If the user gives a box, the board is there even without a visible outline.
        if board == nil, searches >= Self.maximumSearches, let box = finder.box {
            board = TossBoardObservation(box: box)
        }
    }

    private mutating func add(_ detection: TossBoardObservation) {
        if let last = detections.last {
            if agree(last, detection) {
                strayDetections = 0
            } else {
                detections = []
                strayDetections += 1
            }
        }
        detections.append(detection)
        guard detections.count >= Self.requiredDetections else { return }
        isBoardOnly = detection.area > finder.rules.largestBoard
        guard !isBoardOnly else { return }
        board = TossBoardObservation(
            corners: (0..<4).map { corner in Polyline.mean(detections.map { $0.corners[corner] }) },
            hole: Polyline.mean(detections.compactMap(\.hole)),
            confidence: detections.map(\.confidence).reduce(0, +) / Float(detections.count))
    }

    private func agree(_ one: TossBoardObservation, _ other: TossBoardObservation) -> Bool {
        zip(one.corners, other.corners).allSatisfy {
            abs($0.x - $1.x) < Self.cornerTolerance && abs($0.y - $1.y) < Self.cornerTolerance
        }
    }

    /// The flights with all their points; an observation reports only the newest ones.
    private func trajectories(in frame: VideoFrame) -> [TossTrajectory] {
        let aspectRatio = Double(frame.width) / Double(frame.height)
        return flights.flights(in: frame).map { flight in
            let samples = flight.points.map { point -> TossTrajectory.Sample in
                let position = point.object.position
                return .init(time: point.time, point: CGPoint(x: position.x, y: position.y * aspectRatio))
            }
            return TossTrajectory(uuid: flight.id, samples: samples, confidence: Float(flight.confidence))
        }
    }
}

package struct TossFrame: Sendable {
    var time: TimeInterval
    var board: TossBoardObservation?
    var isStable = true
    /// Whether the camera has been seen to move; both are false until it was observed long enough.
    var cameraMoves = false
    /// Whether a board fills so much of the picture that it is seen from above, or from too near for a game.
    var isBoardOnly = false
    var poses: [Pose] = []
    var trajectories: [TossTrajectory] = []
    /// The board and the ground around it, in some of the frames; shows where bags come to rest.
    var surroundings: BoardSurroundings?
}

/// Whether the camera stands still, from the picture's shifts between frames. Their lengths are added over a second;
/// the sample adds 16 signed shifts, so that a shaking hand seems at rest.
struct CameraMotion: Sendable {
    enum State: Sendable {
        case unknown
        case resting
        /// It moves too much to follow the board or a bag.
        case moving
    }

    private(set) var state = State.unknown
    /// The observed time and the moving time, in seconds.
    private(set) var observed = 0.0
    private(set) var moved = 0.0
    private var steps: [(time: TimeInterval, seconds: TimeInterval, length: Double)] = []
    private var last: TimeInterval?

    /// The averaging time of the speed, in seconds: a shaking hand returns within one.
    private static let period = 1.0
    /// The minimum observation before a verdict, in seconds: the sample's 16 frames at 30 fps.
    private static let minimumPeriod = 0.5
    /// The apparent speeds, in picture heights per second, at which the camera starts to move and to rest: rendered
    /// games are followed at 0.025 and no longer at 0.06; wind on a tripod stays below 0.01.
    private static let speeds = (moving: 0.035, resting: 0.025)

    /// Adds a shift in picture heights since the previous frame, nil as none, at a time in seconds.
    mutating func add(shift: Double?, at time: TimeInterval) {
        defer { last = time }
        guard let last, time > last else { return }
        let seconds = time - last
        steps.append((time, seconds, shift ?? 0))
        steps.removeAll { $0.time < time - Self.period }
        let span = steps.reduce(0) { $0 + $1.seconds }
        observed += seconds
        if state == .moving { moved += seconds }
        guard span >= Self.minimumPeriod - 1e-6 else { return }
        let speed = steps.reduce(0) { $0 + $1.length } / span
        state = speed > (state == .moving ? Self.speeds.resting : Self.speeds.moving) ? .moving : .resting
    }

    /// Whether it moved long enough to miss throws.
    var hasMoved: Bool { state == .moving || moved > 0.3 * observed }
}
