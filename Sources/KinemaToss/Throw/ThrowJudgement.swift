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
    private static let depths = 0.6...1.6
    /// The speeds bags are tossed at, metres a second.
    private static let speeds = 2.0...16
    /// How near the thrower's hand a throw begins, in lengths of the trunk: an arm's length for the slips of landmarks.
    private static let reach = 1.0

    /// The throw, or nil when nothing was thrown.
    func judge(
        _ flight: FlightRecord, trail: PoseTrail, ground: [(time: TimeInterval, view: BoardSurroundings)], number: Int
    ) -> TossThrow? {
        guard let (field, spots) = fit(flight), let first = spots.first, let last = spots.last,
            field.deviation < Self.exactness, Self.depths.contains(field.relativeDepth)
        else { return nil }
        let release = ReleaseFinder(aspectRatio: aspectRatio, rules: rules)
            .find(first: first.time, trail: trail) { field.point(at: $0) }
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
        let judged = LandingJudge(board: board, aspectRatio: aspectRatio, rules: rules)
            .landing(of: field, ground: ground, since: start)
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

    /// Fits the field to the longest part, then takes in the other parts that lie on the same path.
    private func fit(_ flight: FlightRecord) -> (TossField, [TossTrajectory.Spot])? {
        guard let main = flight.parts.max(by: { $0.spots.count < $1.spots.count }),
            let field = TossField(board: board, spots: main.spots, aspectRatio: aspectRatio, rules: rules)
        else { return nil }
        let landing = field.landing().time
        let spots = flight.spots.filter { spot in
            let place = field.point(at: spot.time)
            return spot.time <= landing
                && hypot((place.x - spot.point.x) * aspectRatio, place.y - spot.point.y) < Self.exactness
        }
        guard spots.count >= 5, spots.count != main.spots.count,
            let better = TossField(board: board, spots: spots, aspectRatio: aspectRatio, rules: rules)
        else { return (field, main.spots) }
        return (better, spots)
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
