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
        if !isStable, let movement = try await registration.perform(on: frame) {
            isStable = stability.update(movement) == .stable
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
