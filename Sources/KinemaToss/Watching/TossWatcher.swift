import Foundation
public import KinemaCore
public import KinemaMedia
import KinemaVision

/// Sees in every frame what the game goes by: the board, whether the camera stands still, what flies, the ground.
public struct TossWatcher: Sendable {
    private let finder: BoardFinder
    private let flights: DetectTrajectoriesRequest
    private let registration = TrackTranslationalImageRegistrationRequest()
    private var stability = SceneStability()
    private var isStable = false
    private var wasUnstable = false
    private var travelled = 0.0
    private var movements = 0
    private var watched: (first: TimeInterval, last: TimeInterval)?
    private var findings: [TossBoardPlace] = []
    private var failures = 0
    private var board: TossBoardPlace?
    private var lastSearch = -Double.infinity
    private var lastView = -Double.infinity

    /// The board is looked for so often, seconds: outlines at six levels take longer than a frame lasts.
    private static let searchInterval = 0.15
    /// So many findings that agree are averaged, which takes the noise out of the corners.
    private static let findingCount = 3
    /// After so many searches in vain a box that was said beforehand is taken for the board.
    private static let patience = 6
    /// How far corners of findings that agree are apart, as a share of the picture.
    private static let agreement = 0.01
    /// The ground is looked at so often, seconds: a few looks before and after a throw are enough.
    private static let viewInterval = 0.09

    /// How long the camera is watched at least, seconds: a hand that shakes may come back to where it was in less.
    private static let watch: TimeInterval = 3
    /// How fast the picture of a camera that rests seems to move at most, shares of its height a second.
    private static let rest = 0.02

    /// Whether the camera does not rest, so that neither the board nor what flies can be followed; false until it was
    /// watched for long enough to say so.
    public var cameraMoves: Bool {
        guard movements > SceneStability.requiredHistoryLength, let watched else { return false }
        if !isStable { return wasUnstable }
        return watched.last - watched.first > 0.5 && travelled / (watched.last - watched.first) > Self.rest
    }

    /// Makes a watcher; a detector says roughly where the board is, nil looks everywhere.
    public init(rules: TossRules = TossRules(), detector: (any TossBoardDetector)? = nil) {
        finder = BoardFinder(rules: rules, detector: detector)
        flights = DetectTrajectoriesRequest(trajectoryLength: rules.trajectoryLength)
    }

    /// What a frame shows, beside the poses of everyone in it; throws what the requests throw.
    public mutating func look(at frame: VideoFrame, poses: [Pose]) async throws -> TossFrame {
        if board == nil, frame.time - lastSearch >= Self.searchInterval {
            lastSearch = frame.time
            let finding = try await finder.board(in: frame)
            take(finding)
            failures += finding == nil ? 1 : 0
            // Where somebody says the board is, there it is, even if its outline cannot be made out.
            if board == nil, failures >= Self.patience, let known = finder.detector as? KnownBoardBox {
                board = TossBoardPlace(box: known.box)
            }
        }
        if !isStable || frame.time - (watched?.first ?? frame.time) < Self.watch,
            let movement = try await registration.perform(on: frame)
        {
            take(movement, in: frame)
        }
        var surroundings: BoardSurroundings?
        if let board, frame.time - lastView >= Self.viewInterval {
            lastView = frame.time
            surroundings = BoardSurroundings(of: board, in: try frame.bitmap())
        }
        return TossFrame(
            time: frame.time, board: board, isStable: isStable, poses: poses, trajectories: trajectories(in: frame),
            surroundings: surroundings)
    }

    private mutating func take(_ movement: ImageTranslationAlignmentObservation, in frame: VideoFrame) {
        if !isStable {
            let verdict = stability.update(movement)
            isStable = verdict == .stable
            wasUnstable = wasUnstable || verdict == .unstable
        }
        let shift = movement.alignmentTransform
        movements += 1
        // Between pictures that have nothing in common nothing moved.
        if movement.confidence > 0, shift.tx.isFinite, shift.ty.isFinite {
            travelled += hypot(shift.tx, shift.ty) / Double(max(1, frame.height))
        }
        watched = (watched?.first ?? frame.time, frame.time)
    }

    private mutating func take(_ finding: TossBoardPlace?) {
        guard let finding else { return }
        if let last = findings.last, !agree(last, finding) { findings = [] }
        findings.append(finding)
        guard findings.count >= Self.findingCount else { return }
        let count = Double(findings.count)
        func mean(_ points: [CGPoint]) -> CGPoint {
            CGPoint(x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
        }
        board = TossBoardPlace(
            corners: (0..<4).map { corner in mean(findings.map { $0.corners[corner] }) },
            hole: mean(findings.compactMap(\.hole)),
            confidence: findings.map(\.confidence).reduce(0, +) / Float(count))
    }

    private func agree(_ one: TossBoardPlace, _ other: TossBoardPlace) -> Bool {
        zip(one.corners, other.corners).allSatisfy {
            abs($0.x - $1.x) < Self.agreement && abs($0.y - $1.y) < Self.agreement
        }
    }

    /// Every flight with all its points, of which an observation would tell the newest only.
    private func trajectories(in frame: VideoFrame) -> [TossTrajectory] {
        let aspectRatio = Double(frame.width) / Double(frame.height)
        return flights.flights(in: frame).map { flight in
            let spots = flight.points.map { point -> TossTrajectory.Spot in
                let place = point.object.position
                return .init(time: point.time, point: CGPoint(x: place.x, y: place.y * aspectRatio))
            }
            return TossTrajectory(uuid: flight.id, spots: spots, confidence: Float(flight.confidence))
        }
    }
}
