import Foundation
import KinemaCore

/// The game of bean-bag toss: finds its way from the board and the player through up to eight throws to the summary.
///
/// A plain rule without clock, input or output: feed it what was seen in every frame, in order of time. States and
/// constants are those of Apple's Action & Vision; what is wrong there is put right: trajectories keep their identity, the
/// bag is followed from the hand to the board by where it is instead of two fixed regions, a body of low confidence is no
/// player, angles are those of the true proportions, a new game starts from nothing.
public struct TossGame: Sendable {
    /// The game's constants.
    public let rules: TossRules
    /// The picture's width over its height.
    public let aspectRatio: Double
    /// Where the game stands.
    public private(set) var state = GameState.inactive
    /// The throws so far and what they come to.
    public private(set) var stats = PlayerStats()
    /// The throws so far.
    public private(set) var completedThrows: [TossThrow] = []
    /// The board, once it is known.
    public private(set) var board: TossBoardPlace?
    /// The bag in the air, as far as it was seen.
    public var flightSpots: [TossTrajectory.Spot] { sure.max { $0.spots.count < $1.spots.count }?.spots ?? [] }
    /// Whether a bag is in the air: it was seen a moment ago.
    public var isInFlight: Bool { sure.contains { now - $0.lastSeen <= rules.noObservationLimit } }

    private let judge: any ThrowTypeJudge
    private var trail: PoseTrail
    private var flights: [FlightRecord] = []
    private var ground: [(time: TimeInterval, view: BoardSurroundings)] = []
    private var sure: [FlightRecord] { flights.filter { $0.confidence > rules.trajectoryConfidence } }
    private var readySince: TimeInterval?
    private var now: TimeInterval = 0

    /// How long poses are kept, seconds: a flight of two seconds, the wait for its end, and the swing before it.
    private static let memory = 5.0

    /// What is less sure than this is not even kept as a part of a flight, 0...1.
    private static let leastConfidence: Float = 0.25
    /// How long a part of a flight may overlap with the one before, seconds: the search begins anew before it gives up.
    private static let overlap = 0.35

    /// Makes a game; `aspectRatio` is the picture's width over its height, `judge` tells the type of a throw.
    public init(
        rules: TossRules = TossRules(), aspectRatio: Double, judge: any ThrowTypeJudge = PostureJudge()
    ) {
        self.rules = rules
        self.aspectRatio = aspectRatio
        self.judge = judge
        trail = PoseTrail(memory: Self.memory)
    }

    /// Begins: the camera or the file is being opened.
    public mutating func start() -> [TossEvent] {
        guard state == .inactive else { return [] }
        return enter(.setupCamera)
    }

    /// Takes what was seen in the next frame; tells what follows from it.
    public mutating func update(_ frame: TossFrame) -> [TossEvent] {
        var events = start()
        now = frame.time
        trail.append(frame.poses, at: frame.time)
        if let view = frame.surroundings {
            ground.append((frame.time, view))
            ground.removeAll { $0.time < frame.time - Self.memory }
        }
        if state == .setupCamera { events += enter(.detectingBoard) }
        if state == .detectingBoard { events += findBoard(frame) }
        if state == .detectedBoard { events += enter(.detectingPlayer) }
        if state == .detectingPlayer { events += findPlayer(frame) }
        if state == .detectedPlayer, let readySince, frame.time >= readySince + rules.getReady {
            events += enter(.trackThrows)
        }
        // A bag thrown while "Go" is still shown is a throw all the same.
        if state == .trackThrows || state == .detectedPlayer { events += follow(frame) }
        return events
    }

    /// Ends the game: a bag still in the air is judged by what was seen, then the summary is shown.
    public mutating func finish() -> [TossEvent] {
        var events: [TossEvent] = []
        for flight in flights { events += complete(flight) }
        flights = []
        if state == .trackThrows || state == .throwCompleted { events += enter(.showSummary) }
        return events
    }

    /// After the summary: a new game with the same board, from nothing.
    public mutating func playAgain() -> [TossEvent] {
        guard state == .showSummary else { return [] }
        stats.reset()
        completedThrows = []
        flights = []
        trail.removeAll()
        readySince = nil
        return enter(.detectingPlayer)
    }

    private mutating func enter(_ next: GameState) -> [TossEvent] {
        guard state.isValidNextState(next) else { return [] }
        let event = TossEvent.stateChanged(from: state, to: next)
        state = next
        return [event]
    }
}

// MARK: - Setting up

extension TossGame {
    private mutating func findBoard(_ frame: TossFrame) -> [TossEvent] {
        guard let place = frame.board, place.confidence > rules.boardConfidence, frame.isStable else { return [] }
        board = place
        return enter(.detectedBoard)
    }

    private mutating func findPlayer(_ frame: TossFrame) -> [TossEvent] {
        guard
            frame.poses.contains(where: {
                $0.confidence > rules.bodyConfidence
                    && $0.boundingBox(confidenceThreshold: rules.jointConfidence) != nil
            })
        else { return [] }
        readySince = frame.time
        return enter(.detectedPlayer)
    }
}

// MARK: - Throws

extension TossGame {
    private mutating func follow(_ frame: TossFrame) -> [TossEvent] {
        var events: [TossEvent] = []
        let wasInFlight = isInFlight
        for trajectory in frame.trajectories where trajectory.confidence > Self.leastConfidence {
            take(trajectory, at: frame.time)
        }
        if isInFlight, !wasInFlight { events.append(.throwBegan) }
        // The throw is over when the bag is no longer seen; what then lies on the ground is looked at a moment later.
        let wait = rules.noObservationLimit + rules.settling
        let ended = flights.filter { frame.time - $0.lastSeen > wait }
        flights = flights.filter { frame.time - $0.lastSeen <= wait }
        for flight in ended { events += complete(flight) }
        return events
    }

    /// Enters a trajectory into the flight it belongs to, or begins one with it.
    private mutating func take(_ trajectory: TossTrajectory, at time: TimeInterval) {
        if let index = flights.firstIndex(where: { $0.contains(trajectory.uuid) }) {
            return flights[index].add(trajectory, at: time)
        }
        guard isTowardBoard(trajectory), let start = trajectory.spots.first else { return }
        let index = flights.firstIndex { flight in
            guard let end = flight.spots.last, end.time <= start.time + Self.overlap else { return false }
            return abs(end.point.x - start.point.x) < rules.continuation
                && abs(end.point.y - start.point.y) < rules.continuation * aspectRatio
        }
        if let index {
            return flights[index].add(trajectory, at: time)
        }
        flights.append(FlightRecord(trajectory, at: time))
    }

    private func isTowardBoard(_ trajectory: TossTrajectory) -> Bool {
        guard let first = trajectory.spots.first?.point, let last = trajectory.spots.last?.point else { return false }
        switch rules.direction {
        case .leftToRight: return last.x > first.x
        case .towardBoard:
            guard let middle = board?.box.midX else { return true }
            return (last.x - first.x) * (middle - first.x) > 0
        }
    }

    private mutating func complete(_ flight: FlightRecord) -> [TossEvent] {
        guard stats.throwCount < rules.maxThrows, let board,
            let judged = ThrowJudgement(board: board, aspectRatio: aspectRatio, rules: rules, judge: judge)
                .judge(flight, trail: trail, ground: ground, number: stats.throwCount + 1)
        else { return [] }
        if let last = completedThrows.last, judged.metrics.start < last.metrics.end { return [] }
        completedThrows.append(judged)
        stats.add(judged.metrics, path: judged.path.map(\.point))
        var events = state == .detectedPlayer ? enter(.trackThrows) : []
        events += enter(.throwCompleted) + [.throwCompleted(judged)]
        events += enter(stats.throwCount >= rules.maxThrows ? .showSummary : .trackThrows)
        return events
    }
}
