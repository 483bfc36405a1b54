import Foundation
import KinemaCore

/// Makes a throw of a flight, or finds that it was none.
struct ThrowJudgement {
    let board: TossBoardPlace
    let aspectRatio: Double
    let rules: TossRules
    let judge: any ThrowTypeJudge

    /// A path that gravity alone explains lies this near to its spots, picture heights.
    private static let exactness = 0.008
    /// A throw carries the bag at least so far, metres; a swing of the arm less.
    private static let leastReach = 2.0
    /// How near the board's distance from the camera a throw happens, as shares of it.
    private static let depths = 0.7...1.4
    /// How much likelier a throw than anything else is to look like one on the field: moving legs and arms fall neither at
    /// 9.8 m/s² nor 2 m far; a cautious guess.
    private static let odds: Float = 20
    /// More parts of a flight are not put together.
    private static let mostParts = 4
    /// The speeds bags are tossed at, metres a second.
    private static let speeds = 2.0...16
    /// How near the thrower's hand a throw begins, in lengths of the trunk: an arm's length for the slips of landmarks.
    private static let reach = 1.0

    /// The throw, or nil when nothing was thrown.
    func judge(
        _ flight: FlightRecord, trail: PoseTrail, ground: [(time: TimeInterval, view: BoardSurroundings)], number: Int
    ) -> TossThrow? {
        guard let (rough, spots) = fit(flight), confidence(of: flight, on: rough) > rules.trajectoryConfidence,
            let first = spots.first, let last = spots.last, rough.deviation < Self.exactness,
            Self.depths.contains(rough.relativeDepth)
        else { return nil }
        let hands = ReleaseFinder(aspectRatio: aspectRatio, rules: rules)
        let begin = hands.find(first: first.time, trail: trail) { rough.point(at: $0) }?.time ?? first.time
        let judged = LandingJudge(board: board, aspectRatio: aspectRatio, rules: rules)
            .landing(of: rough, ground: ground, since: min(begin, first.time))
        // Where the bag lies says how far away it flew, which its path alone tells less exactly.
        let better = judged.resting.flatMap {
            TossField(board: board, spots: spots, resting: $0, aspectRatio: aspectRatio, rules: rules)
        }
        let field = better.flatMap { $0.deviation < Self.exactness ? $0 : nil } ?? rough
        let release = hands.find(first: first.time, trail: trail) { field.point(at: $0) }
        // Nobody near the beginning: something else flew, unless nobody was to be seen at all.
        if let release, release.distance > Self.reach { return nil }
        let start = min(release?.time ?? first.time, first.time)
        let landing = field.landing()
        let way = field.flight.place(at: landing.time) - field.flight.place(at: start)
        let seen = field.flight.place(at: last.time) - field.flight.place(at: first.time)
        guard Self.speeds.contains(field.speed(at: start)), hypot(way.x, way.z) > Self.leastReach,
            hypot(seen.x, seen.z) > Self.leastReach / 2, landing.time > start
        else { return nil }
        var metrics = ThrowMetrics()
        metrics.start = start
        metrics.end = landing.time
        metrics.releaseSpeed = field.speed(at: start)
        metrics.launchAngle = field.angle(at: start)
        metrics.landing = judged.landing
        metrics.finalBagLocation = judged.point
        if let release {
            let poses = trail.poses(of: release.person, in: start - rules.poseMemory...start + rules.poseMemory)
            metrics.throwType = judge.type(of: poses, release: release, aspectRatio: aspectRatio) ?? .none
            metrics.releaseAngle = forearmAngle(poses, release)
        }
        metrics.score = Scoring(judged.landing, type: metrics.throwType)
        return TossThrow(
            number: number, metrics: metrics, release: release, spots: spots, path: path(field, metrics))
    }

    /// Fits the field to the parts that lie on one path: to the set of them that has the most spots.
    private func fit(_ flight: FlightRecord) -> (TossField, [TossTrajectory.Spot])? {
        let long = flight.parts.sorted { $0.spots.count > $1.spots.count }.prefix(Self.mostParts)
        var best: (field: TossField, spots: [TossTrajectory.Spot])?
        for main in long where main.spots.count >= 5 {
            guard var field = TossField(board: board, spots: main.spots, aspectRatio: aspectRatio, rules: rules) else {
                continue
            }
            var spots = main.spots
            trim(&field, &spots)
            for other in long where other.uuid != main.uuid {
                let both = (spots + other.spots).sorted { $0.time < $1.time }
                guard let wider = TossField(board: board, spots: both, aspectRatio: aspectRatio, rules: rules),
                    wider.deviation < Self.exactness / 2,
                    other.spots.count(where: { isOn(wider, $0) }) * 5 >= other.spots.count * 4
                else { continue }
                (field, spots) = (wider, both)
            }
            if spots.count > best?.spots.count ?? 0 { best = (field, spots) }
        }
        guard var (field, spots) = best.map({ ($0.field, $0.spots) }) else { return nil }
        trim(&field, &spots)
        return (field, spots)
    }

    /// Leaves out the few spots that were not the bag: what it passed, an arm it was taken for.
    private func trim(_ field: inout TossField, _ spots: inout [TossTrajectory.Spot]) {
        let kept = spots.filter { isOn(field, $0) }
        guard kept.count < spots.count, kept.count * 10 >= spots.count * 6,
            let clean = TossField(board: board, spots: kept, aspectRatio: aspectRatio, rules: rules)
        else { return }
        (field, spots) = (clean, kept)
    }

    /// How sure it is that something flew: parts that lie on one path are evidence independent of each other.
    private func confidence(of flight: FlightRecord, on field: TossField) -> Float {
        let parts = flight.parts.filter { part in
            let near = part.spots.count { isOn(field, $0) }
            return Double(near) >= 0.8 * Double(part.spots.count)
        }
        let doubt = parts.reduce(Float(1)) { $0 * (1 - $1.confidence) }
        // What gravity at the board's distance explains and what comes down by the board is hardly anything else.
        let isLikely = Self.depths.contains(field.relativeDepth) && field.deviation < Self.exactness / 2
        return isLikely ? (1 - doubt) * Self.odds / ((1 - doubt) * Self.odds + doubt) : 1 - doubt
    }

    private func isOn(_ field: TossField, _ spot: TossTrajectory.Spot) -> Bool {
        let place = field.point(at: spot.time)
        return hypot((place.x - spot.point.x) * aspectRatio, place.y - spot.point.y) < Self.exactness
    }

    /// The forearm's direction at the release, in true proportions.
    private func forearmAngle(_ poses: [(time: TimeInterval, pose: Pose)], _ release: Release) -> Double? {
        guard let pose = poses.min(by: { abs($0.time - release.time) < abs($1.time - release.time) })?.pose,
            let elbow = pose.place(release.isLeft ? .leftElbow : .rightElbow, above: rules.jointConfidence),
            let wrist = pose.place(release.isLeft ? .leftWrist : .rightWrist, above: rules.jointConfidence)
        else { return nil }
        return abs(atan2(wrist.y - elbow.y, (wrist.x - elbow.x) * aspectRatio)) * 180 / .pi
    }

    private func path(_ field: TossField, _ metrics: ThrowMetrics) -> [TossTrajectory.Spot] {
        let steps = 40
        return (0...steps).map { step in
            let time = metrics.start + (metrics.end - metrics.start) * Double(step) / Double(steps)
            return TossTrajectory.Spot(time: time, point: field.point(at: time))
        }
    }
}
