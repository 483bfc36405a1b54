import Foundation
import KinemaCore
import KinemaSynth
import Testing

@testable import KinemaToss

/// A rendered game's truth, fed to the game as if everything had been seen exactly.
private struct SeenGame {
    let scene: SynthScene
    let truth: Truth
    let toss: Truth.Toss
    let aspectRatio: Double

    init(seed: UInt64, throwCount: Int? = nil) throws {
        scene = SynthScene.toss(seed: seed, throwCount: throwCount)
        truth = scene.truth()
        toss = try #require(truth.toss)
        aspectRatio = Double(truth.width) / Double(truth.height)
    }

    /// The identifier of the first bag's trajectory.
    var first: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    var board: TossBoardObservation {
        TossBoardObservation(
            corners: toss.board.map { CGPoint(x: $0[0], y: $0[1]) }, hole: CGPoint(x: toss.hole[0], y: toss.hole[1]))
    }

    /// What is seen in a frame; the bag from the third frame of its flight until `lost` seconds before its end.
    func frame(_ index: Int, lost: Double = 0) -> TossFrame {
        let time = scene.frameRate.seconds(atFrame: index)
        let poses = truth.people.map { person -> Pose in
            let keypoints = person.frames[index].keypoints.reduce(into: [JointKey: JointPoint]()) { points, entry in
                let key = JointKey(rawValue: entry.key)
                points[key] = JointPoint(
                    key, location: CGPoint(x: entry.value.x, y: entry.value.y), confidence: 0.9)
            }
            return Pose(from: keypoints, keypoints3D: [:], id: person.id, confidence: 0.9)
        }
        let trajectories = toss.flights.enumerated().compactMap { number, flight -> TossTrajectory? in
            let seen = flight.bag.filter { $0[0] <= time }
            guard seen.count >= 5, time <= flight.end - lost else { return nil }
            return TossTrajectory(
                uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))),
                samples: seen.dropFirst(2).map { .init(time: $0[0], point: CGPoint(x: $0[1], y: $0[2])) },
                confidence: 0.95)
        }
        return TossFrame(time: time, board: board, poses: poses, trajectories: trajectories)
    }

    func play(_ rules: TossRules = TossRules()) -> TossGame {
        var game = TossGame(rules: rules, aspectRatio: aspectRatio)
        for index in 0..<scene.frameCount { _ = game.update(frame(index)) }
        _ = game.finish()
        return game
    }
}

@Suite("The game of bean-bag toss")
struct TossGameTests {
    @Test(arguments: [0, 1, 2, 3, 5, 8] as [UInt64])
    func `exactly seen games give every throw's type, speed, angle and time`(seed: UInt64) throws {
        let seen = try SeenGame(seed: seed)
        let game = seen.play()
        #expect(game.state == .showSummary)
        #expect(game.stats.throwCount == seen.toss.flights.count)
        for (one, flight) in zip(game.completedThrows, seen.toss.flights) {
            #expect(one.metrics.throwType.rawValue.lowercased() == flight.type.rawValue, "\(flight.start) s")
            #expect(abs(one.metrics.releaseSpeed / flight.speed - 1) < 0.03, "\(flight.start) s")
            #expect(abs(one.metrics.launchAngle - flight.angle) < 3, "\(flight.start) s")
            #expect(abs(one.metrics.start - flight.start) < 0.05)
            #expect(abs(one.metrics.distance / flight.distance - 1) < 0.03, "\(flight.start) s")
            #expect(one.metrics.typeConfidence > 0.6, "\(flight.start) s")
        }
    }

    @Test
    func `a throw whose landing or release is not seen says so`() throws {
        let seen = try SeenGame(seed: 1)
        #expect(seen.play().completedThrows.allSatisfy { $0.metrics.unseen == nil })
        // The recording ends in the air.
        let flight = try #require(seen.toss.flights.first)
        var game = TossGame(aspectRatio: seen.aspectRatio)
        for index in 0..<seen.scene.frameCount
        where seen.scene.frameRate.seconds(atFrame: index) < flight.end - 0.1 { _ = game.update(seen.frame(index)) }
        _ = game.finish()
        #expect(game.completedThrows.map(\.metrics.unseen) == ["the landing is after the recording"])
    }

    @Test
    func `nothing is thrown without a board, before the camera stands still, or by somebody of low confidence`() throws
    {
        let seen = try SeenGame(seed: 1)
        let changes: [(String, (inout TossFrame) -> Void)] = [
            ("board", { $0.board = nil }), ("unsure board", { $0.board?.confidence = 0.6 }),
            ("stability", { $0.isStable = false }),
            ("player", { frame in for index in frame.poses.indices { frame.poses[index].confidence = 0.6 } }),
            (
                "trajectories",
                { frame in
                    for index in frame.trajectories.indices { frame.trajectories[index].confidence = 0.25 }
                }
            ),
        ]
        for (name, change) in changes {
            var game = TossGame(aspectRatio: seen.aspectRatio)
            for index in 0..<seen.scene.frameCount {
                var frame = seen.frame(index)
                change(&frame)
                _ = game.update(frame)
            }
            _ = game.finish()
            #expect(game.stats.throwCount == 0, "\(name)")
        }
    }

    @Test
    func `states come in order, and a second game starts from nothing`() throws {
        let seen = try SeenGame(seed: 1)
        var game = TossGame(aspectRatio: seen.aspectRatio)
        var states: [GameState] = []
        func note(_ events: [TossEvent]) {
            for case .stateChanged(_, let state) in events { states.append(state) }
        }
        for index in 0..<seen.scene.frameCount { note(game.update(seen.frame(index))) }
        note(game.finish())
        #expect(
            Array(states.prefix(6)) == [
                .setupCamera, .detectingBoard, .detectedBoard, .detectingPlayer, .detectedPlayer, .trackThrows,
            ])
        #expect(states.last == .showSummary)
        #expect(states.count { $0 == .throwCompleted } == seen.toss.flights.count)
        #expect(game.stats.averageSpeed != nil && game.stats.topSpeed > 0)
        #expect(game.guidance == .gameOver)
        #expect(!game.playAgain().isEmpty)
        #expect(game.completedThrows.isEmpty && game.state == .detectingPlayer)
        #expect(game.guidance == .stepIn)
    }

    @Test
    func `a path belongs to the throw that goes on, from its second point on`() throws {
        let seen = try SeenGame(seed: 1)
        var game = TossGame(aspectRatio: seen.aspectRatio)
        _ = game.update(TossFrame(time: 0, board: seen.board, poses: seen.frame(0).poses))
        func flight(_ number: UInt8, _ count: Int, since start: Double) -> TossTrajectory {
            TossTrajectory(
                uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)),
                samples: (0..<count).map { index in
                    .init(
                        time: start + Double(index) / 30,
                        point: CGPoint(x: 0.8 - 0.02 * Double(index), y: 0.5 + 0.2 * Double(number)))
                }, confidence: 0.95)
        }
        // The first bag lies still; the second has just left the hand.
        _ = game.update(
            TossFrame(time: 2, poses: seen.frame(0).poses, trajectories: [flight(1, 30, since: 1)]))
        #expect(game.flightSamples.count == 30)
        _ = game.update(
            TossFrame(time: 2.6, poses: seen.frame(0).poses, trajectories: [flight(2, 2, since: 2.5)]))
        #expect(game.flightSamples.count == 2 && game.flightSamples.allSatisfy { $0.point.y > 0.85 })
    }

    @Test(arguments: [(0, 0.0...0.7), (3, 0...0.7), (0, 1.4...1.5)] as [(UInt64, ClosedRange<Double>)])
    func `a bag seen until it comes down is scored at once, one lost in the air after a wait`(
        seed: UInt64, expected: ClosedRange<Double>
    ) throws {
        let seen = try SeenGame(seed: seed)
        let lost = expected.lowerBound > 0 ? 0.3 : 0
        var game = TossGame(aspectRatio: seen.aspectRatio)
        var (waits, began, last) = ([Double](), 0, 0.0)
        for index in 0..<seen.scene.frameCount {
            var frame = seen.frame(index, lost: lost)
            if let newest = frame.trajectories.first?.samples.last { last = newest.time }
            // A bag that slides after it was scored is not thrown again.
            if lost == 0, waits.count == 1, let slid = game.completedThrows.first, frame.trajectories.isEmpty {
                let ground = TossTrajectory.Sample(time: frame.time, point: slid.metrics.finalBagLocation)
                frame.trajectories = [
                    TossTrajectory(uuid: seen.first, samples: slid.samples + [ground], confidence: 0.95)
                ]
            }
            for event in game.update(frame) {
                if case .throwBegan = event { began += 1 }
                if case .throwCompleted = event { waits.append(frame.time - last) }
            }
        }
        #expect(waits.count >= seen.toss.flights.count - 1 && !waits.isEmpty && began == seen.toss.flights.count)
        #expect(waits.allSatisfy(expected.contains), "\(waits)")
    }

    @Test
    func `after eight throws the game is over`() throws {
        let seen = try SeenGame(seed: 4, throwCount: 8)
        var rules = TossRules()
        #expect(seen.play(rules).stats.throwCount == 8)
        rules.maxThrows = 3
        #expect(seen.play(rules).stats.throwCount == 3)
    }

    @Test
    func `throws after the last one of the game are counted and not scored`() throws {
        let seen = try SeenGame(seed: 4, throwCount: 8)
        var rules = TossRules()
        for (most, scored) in [(3, 3), (8, 8), (.max, 8)] {
            rules.maxThrows = most
            let game = seen.play(rules)
            #expect(game.stats.throwCount == scored && game.throwsNotScored == 8 - scored)
            #expect(game.completedThrows.map(\.metrics) == seen.play().completedThrows.prefix(scored).map(\.metrics))
            #expect(game.state == .showSummary && !game.isInFlight && game.flightSamples.isEmpty)
        }
        rules.maxThrows = 3
        var game = seen.play(rules)
        _ = game.playAgain()
        #expect(game.throwsNotScored == 0)
    }

    @Test(arguments: [("1", 1), ("12", 12), ("all", Int.max), ("0", nil), ("-3", nil), ("some", nil)])
    func `a game has a number of throws or all`(text: String, count: Int?) {
        #expect(ThrowLimit(text)?.count == count)
        let stored = try? JSONDecoder().decode([ThrowLimit].self, from: Data("[\"\(text)\"]".utf8))
        #expect(stored?.first?.count == count)
    }

    @Test
    func `the sample's direction leaves throws to the left out`() throws {
        var rules = TossRules()
        rules.direction = .leftToRight
        for seed: UInt64 in 0..<6 {
            let seen = try SeenGame(seed: seed)
            let goesRight = (seen.toss.flights[0].bag.last?[1] ?? 0) > seen.toss.flights[0].bag[0][1]
            #expect(seen.play(rules).stats.throwCount == (goesRight ? seen.toss.flights.count : 0))
        }
    }

    @Test
    func `speeds are reported in miles per hour by 2.23694`() {
        var metrics = ThrowMetrics()
        metrics.releaseSpeed = 10
        #expect(metrics.releaseSpeedMilesPerHour == 22.37)
    }
}
