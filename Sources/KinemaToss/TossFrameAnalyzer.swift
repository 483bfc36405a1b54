import Foundation
public import KinemaCore
public import KinemaMedia
import KinemaVision

/// Extracts the observations of each frame for the game: the board, camera stability, flying objects and the ground.
public struct TossFrameAnalyzer: Sendable {
    private let finder: BoardFinder
    private let flights: DetectTrajectoriesRequest
    private let registration = TrackTranslationalImageRegistrationRequest()
    private var stability = SceneStability()
    private var isStable = false
    private var hasBeenUnstable = false
    private var distanceMoved = 0.0
    private var movementCount = 0
    private var observed: (first: TimeInterval, last: TimeInterval)?
    private var detections: [TossBoardObservation] = []
    private var failedSearches = 0
    private var board: TossBoardObservation?
    private var lastSearch = -Double.infinity
    private var lastSurroundings = -Double.infinity

    /// The time between searches for the board, in seconds: outlines at six levels take longer than a frame lasts.
    private static let searchInterval = 0.15
    /// The number of consistent detections to average, which removes the noise from the corners.
    private static let requiredDetections = 3
    /// The number of failed searches after which a box known in advance is used as the board.
    private static let maximumFailedSearches = 6
    /// The largest distance between the corners of consistent detections, as a share of the picture.
    private static let cornerTolerance = 0.01
    /// The time between pictures of the ground, in seconds: a few before and after a throw are enough.
    private static let surroundingsInterval = 0.09

    /// How long the camera is observed, in seconds: a shaking hand can return to where it was in less.
    private static let stabilityPeriod: TimeInterval = 3
    /// The largest apparent speed of a camera at rest, in picture heights per second.
    private static let restSpeed = 0.02

    /// Whether the camera moves too much to follow the board and flying objects; false until it was observed long
    /// enough.
    public var cameraMoves: Bool {
        guard movementCount > SceneStability.requiredHistoryLength, let observed else { return false }
        if !isStable { return hasBeenUnstable }
        return observed.last - observed.first > 0.5 && distanceMoved / (observed.last - observed.first) > Self.restSpeed
    }

    /// Makes an analyser; a detector gives the rough position of the board, nil searches the whole picture.
    public init(rules: TossRules = TossRules(), detector: (any TossBoardDetector)? = nil) {
        finder = BoardFinder(rules: rules, detector: detector)
        flights = DetectTrajectoriesRequest(trajectoryLength: rules.trajectoryLength)
    }

    /// Returns the observations of a frame, which include `poses`; throws the errors of the requests.
    public mutating func analyze(_ frame: VideoFrame, poses: [Pose]) async throws -> TossFrame {
        if board == nil, frame.time - lastSearch >= Self.searchInterval {
            lastSearch = frame.time
            let detection = try await finder.board(in: frame)
            add(detection)
            failedSearches += detection == nil ? 1 : 0
            // If the user gives a box, the board is there even without a visible outline.
            if board == nil, failedSearches >= Self.maximumFailedSearches, let known = finder.detector as? KnownBoardBox
            {
                board = TossBoardObservation(box: known.box)
            }
        }
        if !isStable || frame.time - (observed?.first ?? frame.time) < Self.stabilityPeriod,
            let movement = try await registration.perform(on: frame)
        {
            add(movement, in: frame)
        }
        var surroundings: BoardSurroundings?
        if let board, frame.time - lastSurroundings >= Self.surroundingsInterval {
            lastSurroundings = frame.time
            surroundings = BoardSurroundings(of: board, in: try frame.bitmap())
        }
        return TossFrame(
            time: frame.time, board: board, isStable: isStable, poses: poses, trajectories: trajectories(in: frame),
            surroundings: surroundings)
    }

    private mutating func add(_ movement: ImageTranslationAlignmentObservation, in frame: VideoFrame) {
        if !isStable {
            let verdict = stability.update(movement)
            isStable = verdict == .stable
            hasBeenUnstable = hasBeenUnstable || verdict == .unstable
        }
        let shift = movement.alignmentTransform
        movementCount += 1
        // Ignore pairs of pictures with nothing in common.
        if movement.confidence > 0, shift.tx.isFinite, shift.ty.isFinite {
            distanceMoved += hypot(shift.tx, shift.ty) / Double(max(1, frame.height))
        }
        observed = (observed?.first ?? frame.time, frame.time)
    }

    private mutating func add(_ detection: TossBoardObservation?) {
        guard let detection else { return }
        if let last = detections.last, !agree(last, detection) { detections = [] }
        detections.append(detection)
        guard detections.count >= Self.requiredDetections else { return }
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
