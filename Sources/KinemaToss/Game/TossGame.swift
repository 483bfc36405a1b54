import Foundation
import KinemaCore

/// The game of bean-bag toss, from finding the board and the player through the throws to the summary.
///
/// A pure state machine: feed it the observations of every frame in order of time. States and constants are those of
/// Apple's Action & Vision. Unlike the sample, trajectories keep their identity, the bag is followed by its position, a
/// body of low confidence is not a player, and angles are in true proportions.
package struct TossGame: Sendable {
    package let rules: TossRules
    package let aspectRatio: Double
    package private(set) var state = GameState.inactive
    package private(set) var completedThrows: [TossThrow] = []
    package var stats: PlayerStats { PlayerStats(completedThrows.map(\.metrics)) }
    /// The number of unscored throws after the game.
    package private(set) var throwsNotScored = 0
    package private(set) var board: TossBoardObservation?
    /// The ground in the picture, once the board is found; each throw refines it.
    package private(set) var view: FieldView?
    /// The person who threw last or, before the first throw, the largest in view; nil while nobody is in view.
    package private(set) var player: TossPlayer?
    package private(set) var guidance = TossGuidance.locatingBoard
    /// The samples of the newest bag in the air; empty after the game.
    package var flightSamples: [TossTrajectory.Sample] {
        state == .showSummary
            ? [] : confident.max { ($0.start, $0.samples.count) < ($1.start, $1.samples.count) }?.samples ?? []
    }
    /// Whether a bag is in the air; allows for short gaps in the observations.
    var isInFlight: Bool {
        state != .showSummary && confident.contains { now - $0.lastSeen <= rules.noObservationLimit }
    }

    private let throwClassifier: any ThrowTypeClassifier
    private var poseHistory: PoseHistory
    private var flights: [FlightTrack] = []
    private var ground: [(time: TimeInterval, view: BoardSurroundings)] = []
    private var confident: [FlightTrack] {
        flights.filter { !$0.isComplete && $0.confidence > rules.trajectoryConfidence }
    }
    /// The end of the last throw that was scored or counted in `throwsNotScored`, in seconds.
    private var lastEnd: TimeInterval?
    private var readySince: TimeInterval?
    /// The time since which the camera is still without a board, in seconds.
    private var missingSince: TimeInterval?
    private var now: TimeInterval = 0

    /// The memory of poses, in seconds: a flight of two seconds, the wait for its end and the swing before it.
    private static let memory = 5.0

    /// The confidence below which a trajectory is not even kept as part of a flight, 0...1.
    private static let minimumConfidence: Float = 0.25
    /// The maximum overlap of two parts of a flight, in seconds.
    private static let maximumOverlap = 0.35

    package init(
        rules: TossRules = TossRules(), aspectRatio: Double,
        throwClassifier: any ThrowTypeClassifier = PostureThrowClassifier()
    ) {
        (self.rules, self.aspectRatio, self.throwClassifier) = (rules, aspectRatio, throwClassifier)
        poseHistory = PoseHistory(duration: Self.memory)
    }

    /// Starts the game while the camera or the file opens.
    mutating func start() -> [TossEvent] {
        guard state == .inactive else { return [] }
        return enter(.setupCamera)
    }

    package mutating func update(_ frame: TossFrame) -> [TossEvent] {
        var events = start()
        now = frame.time
        poseHistory.append(frame.poses, at: frame.time)
        if let view = frame.surroundings {
            ground.append((frame.time, view))
            ground.removeAll { $0.time < frame.time - Self.memory }
        }
        if state == .setupCamera { events += enter(.detectingBoard) }
        if state == .detectingBoard { events += findBoard(frame) }
        if state == .detectedBoard { events += enter(.detectingPlayer) }
        player = findPlayer(frame)
        if state == .detectingPlayer, player != nil {
            readySince = frame.time
            events += enter(.detectedPlayer)
        }
        if state == .detectedPlayer, let readySince, frame.time >= readySince + rules.getReady {
            events += enter(.trackThrows)
        }
        // A bag thrown while "Go" is still shown counts; one thrown after the game is only counted.
        if [.trackThrows, .detectedPlayer, .showSummary].contains(state) { events += follow(frame) }
        guide(frame)
        return events
    }

    /// Ends the game: evaluates a bag still in the air by its samples so far, then shows the summary.
    package mutating func finish() -> [TossEvent] {
        var events: [TossEvent] = []
        for index in flights.indices { events += complete(index) }
        flights = []
        if state == .trackThrows || state == .throwCompleted {
            events += enter(.showSummary)
            guidance = .gameOver
        }
        return events
    }

    /// Starts a new game from scratch with the same board, after the summary.
    package mutating func playAgain() -> [TossEvent] {
        guard state == .showSummary else { return [] }
        (completedThrows, throwsNotScored, lastEnd) = ([], 0, nil)
        flights = []
        poseHistory = PoseHistory(duration: Self.memory)
        ground = []
        readySince = nil
        guidance = .stepIn
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
        guard let found = frame.board, found.confidence > rules.boardConfidence, frame.isStable else { return [] }
        board = found
        view = FieldView(found, aspectRatio: aspectRatio, rules: rules)
        return enter(.detectedBoard)
    }

    private func findPlayer(_ frame: TossFrame) -> TossPlayer? {
        func player(_ pose: Pose) -> TossPlayer? {
            TossPlayer(pose, view: view, aspectRatio: aspectRatio, rules: rules)
        }
        if let thrower = completedThrows.last?.release?.person,
            let pose = frame.poses.first(where: { $0.id == thrower })
        {
            return player(pose)
        }
        return frame.poses.compactMap(player).max { $0.box.width * $0.box.height < $1.box.width * $1.box.height }
    }

    private mutating func guide(_ frame: TossFrame) {
        if state != .detectingBoard || frame.cameraMoves {
            missingSince = nil
        } else {
            missingSince = missingSince ?? frame.time
        }
        guidance =
            switch state {
            case .inactive, .setupCamera, .detectingBoard: search(frame)
            case .detectedBoard, .detectingPlayer: .stepIn
            case .detectedPlayer: .go
            case .trackThrows, .throwCompleted: frame.cameraMoves ? .keepStill : .play
            case .showSummary: .gameOver
            }
    }

    /// The obstacle to finding the board.
    private func search(_ frame: TossFrame) -> TossGuidance {
        if frame.cameraMoves { return .keepStill }
        if frame.isBoardOnly { return .boardOnly }
        guard let missingSince, frame.time - missingSince > rules.placementDelay else { return .locatingBoard }
        return .placeBoard
    }
}

// MARK: - Throws

extension TossGame {
    private mutating func follow(_ frame: TossFrame) -> [TossEvent] {
        var events: [TossEvent] = []
        let wasInFlight = isInFlight
        for trajectory in frame.trajectories where trajectory.confidence > Self.minimumConfidence {
            take(trajectory, at: frame.time)
        }
        if isInFlight, !wasInFlight { events.append(.throwBegan) }
        // A throw ends once the bag is out of sight and the ground had time to settle.
        let wait = rules.noObservationLimit + rules.settlingTime
        for index in flights.indices where frame.time - flights[index].lastSeen > wait || hasLanded(index) {
            events += complete(index)
        }
        flights.removeAll { frame.time - $0.lastSeen > wait }
        return events
    }

    /// Whether a bag came down where it was last seen and lies still by now; judged once for each last sighting.
    private mutating func hasLanded(_ index: Int) -> Bool {
        let flight = flights[index]
        guard !flight.isComplete, let board, let last = flight.samples.last?.time, now - last > rules.restTime,
            flight.judged != last
        else { return false }
        flights[index].judged = last
        return evaluator(board).landingTime(of: flight).map { $0 <= last + rules.landingGap } ?? false
    }

    private func evaluator(_ board: TossBoardObservation) -> ThrowEvaluator {
        ThrowEvaluator(board: board, aspectRatio: aspectRatio, rules: rules, throwClassifier: throwClassifier)
    }

    /// Adds a trajectory to the flight it belongs to, or starts a new flight.
    private mutating func take(_ trajectory: TossTrajectory, at time: TimeInterval) {
        if let index = flights.firstIndex(where: { $0.contains(trajectory.uuid) }) {
            return flights[index].add(trajectory, at: time)
        }
        guard isTowardBoard(trajectory), let start = trajectory.samples.first else { return }
        let index = flights.firstIndex { flight in
            guard let end = flight.samples.last, end.time <= start.time + Self.maximumOverlap else { return false }
            return abs(end.point.x - start.point.x) < rules.continuation
                && abs(end.point.y - start.point.y) < rules.continuation * aspectRatio
        }
        if let index {
            return flights[index].add(trajectory, at: time)
        }
        flights.append(FlightTrack(trajectory, at: time))
    }

    private func isTowardBoard(_ trajectory: TossTrajectory) -> Bool {
        guard let first = trajectory.samples.first?.point, let last = trajectory.samples.last?.point else {
            return false
        }
        switch rules.direction {
        case .leftToRight: return last.x > first.x
        case .towardBoard:
            guard let boardX = board?.box.midX else { return true }
            return (last.x - first.x) * (boardX - first.x) > 0
        }
    }

    private mutating func complete(_ index: Int) -> [TossEvent] {
        let flight = flights[index]
        guard let board, !flight.isComplete else { return [] }
        flights[index].isComplete = true
        let number = completedThrows.count + 1
        let evaluator = evaluator(board)
        guard
            let result = evaluator.evaluate(flight, poses: poseHistory, ground: ground, number: number, at: now)
        else { return [] }
        if let lastEnd, result.metrics.start < lastEnd { return [] }
        lastEnd = result.metrics.end
        guard completedThrows.count < rules.maxThrows else {
            throwsNotScored += 1
            return []
        }
        completedThrows.append(result)
        view = result.view
        var events = state == .detectedPlayer ? enter(.trackThrows) : []
        events += enter(.throwCompleted) + [.throwCompleted(result)]
        events += enter(completedThrows.count >= rules.maxThrows ? .showSummary : .trackThrows)
        return events
    }
}

package enum TossEvent: Sendable {
    case stateChanged(from: GameState, to: GameState)
    case throwBegan
    case throwCompleted(TossThrow)
}
