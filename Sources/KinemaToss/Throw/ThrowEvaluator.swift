import Foundation
import KinemaCore

struct ThrowEvaluator {
    let board: TossBoardObservation
    let aspectRatio: Double
    let rules: TossRules
    let throwClassifier: any ThrowTypeClassifier

    /// The largest distance of a sample from a path under gravity alone, in picture heights.
    private static let tolerance = 0.008
    /// The shortest throw, in metres; a swing of the arm carries the bag less far.
    private static let minimumRange = 2.0
    /// The depths at which a throw may start, as shares of the board's depth.
    private static let depths = 0.7...1.4
    /// The odds of a path that looks like a throw; moving limbs neither fall at 9.8 m/s² nor cover 2 m. A guess.
    private static let odds: Float = 20
    private static let maximumTracklets = 4
    /// The release speeds of a tossed bag, in metres per second.
    private static let speeds = 2.0...16
    /// The largest distance from the hand at the start, in trunk lengths: an arm's length for errors of the pose.
    private static let maximumHandDistance = 1.0
    /// The part of the picture in which a whole bag is seen, as a share of its sides.
    private static let inView = 0.02...0.98

    func evaluate(
        _ flight: FlightTrack, poses history: PoseHistory, ground: [(time: TimeInterval, view: BoardSurroundings)],
        number: Int, at now: TimeInterval
    ) -> TossThrow? {
        guard let (rough, samples) = field(of: flight), let first = samples.first, let last = samples.last else {
            return nil
        }
        let hands = ReleaseFinder(aspectRatio: aspectRatio, rules: rules)
        let begin = hands.find(first: first.time, poses: history) { rough.point(at: $0) }?.time ?? first.time
        let outcome = LandingEstimator(board: board, aspectRatio: aspectRatio, rules: rules)
            .landing(of: rough, ground: ground, since: min(begin, first.time))
        // The resting position gives the distance more exactly than the path alone.
        let refined = outcome.resting.flatMap {
            TossField(board: board, samples: samples, resting: $0, aspectRatio: aspectRatio, rules: rules)
        }
        let field = refined.flatMap { $0.deviation < Self.tolerance ? $0 : nil } ?? rough
        let release = hands.find(first: first.time, poses: history) { field.point(at: $0) }
        // With people in view but none near the start, something else flew.
        if let release, release.distance > Self.maximumHandDistance { return nil }
        let start = min(release?.time ?? first.time, first.time)
        let landing = field.landing()
        let displacement = field.flight.position(at: landing.time) - field.flight.position(at: start)
        let observed = field.flight.position(at: last.time) - field.flight.position(at: first.time)
        guard Self.speeds.contains(field.speed(at: start)), hypot(displacement.x, displacement.z) > Self.minimumRange,
            hypot(observed.x, observed.z) > Self.minimumRange / 2, landing.time > start
        else { return nil }
        let view = FieldView(field, aspectRatio: aspectRatio, rules: rules)
        var metrics = ThrowMetrics(
            landing: outcome.landing, releaseSpeed: field.speed(at: start), launchAngle: field.angle(at: start),
            distance: hypot(displacement.x, displacement.z), start: start, end: landing.time,
            finalBagLocation: outcome.point,
            unseen: unseen(field, from: start, to: landing.time, at: now, isReleaseKnown: release != nil))
        if let release {
            let poses = history.poses(of: release.person, in: start - rules.poseMemory...start + rules.poseMemory)
            if let found = throwClassifier.prediction(of: poses, release: release, aspectRatio: aspectRatio) {
                (metrics.throwType, metrics.typeConfidence) = (found.type, found.confidence)
            }
            metrics.releaseAngle = forearmAngle(poses, release)
            metrics.playerDistance = playerDistance(poses, view)
        }
        metrics.score = Scoring(outcome.landing, type: metrics.throwType)
        return TossThrow(
            number: number, metrics: metrics, release: release, samples: samples, path: path(field, metrics),
            view: view)
    }

    /// Which end of a throw is out of view, or after the recording.
    private func unseen(
        _ field: TossField, from start: TimeInterval, to end: TimeInterval, at now: TimeInterval, isReleaseKnown: Bool
    ) -> String? {
        func isOut(_ time: TimeInterval) -> Bool {
            let point = field.point(at: time)
            return !Self.inView.contains(point.x) || !Self.inView.contains(point.y)
        }
        let parts = [
            !isReleaseKnown && isOut(start) ? "the release is out of view" : nil,
            end > now ? "the landing is after the recording" : isOut(end) ? "the landing is out of view" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// The time at which a flight that looks like a throw comes down, in seconds; nil for anything else.
    func landingTime(of flight: FlightTrack) -> TimeInterval? { field(of: flight)?.0.landing().time }

    /// The field of a flight that looks like a throw, and the samples on its path; nil for anything else.
    private func field(of flight: FlightTrack) -> (TossField, [TossTrajectory.Sample])? {
        guard let (field, samples) = fit(flight), confidence(of: flight, on: field) > rules.trajectoryConfidence,
            field.deviation < Self.tolerance, Self.depths.contains(field.relativeDepth)
        else { return nil }
        return (field, samples)
    }

    /// Fits the field to the tracklets on one path: the set of them with the most samples.
    private func fit(_ flight: FlightTrack) -> (TossField, [TossTrajectory.Sample])? {
        let long = flight.tracklets.sorted { $0.samples.count > $1.samples.count }.prefix(Self.maximumTracklets)
        var best: (field: TossField, samples: [TossTrajectory.Sample])?
        for main in long where main.samples.count >= 5 {
            guard var field = TossField(board: board, samples: main.samples, aspectRatio: aspectRatio, rules: rules)
            else { continue }
            var samples = main.samples
            trim(&field, &samples)
            for other in long where other.uuid != main.uuid {
                let both = (samples + other.samples).sorted { $0.time < $1.time }
                guard let wider = TossField(board: board, samples: both, aspectRatio: aspectRatio, rules: rules),
                    wider.deviation < Self.tolerance / 2,
                    other.samples.count(where: { isOn(wider, $0) }) * 5 >= other.samples.count * 4
                else { continue }
                (field, samples) = (wider, both)
            }
            if samples.count > best?.samples.count ?? 0 { best = (field, samples) }
        }
        guard var (field, samples) = best.map({ ($0.field, $0.samples) }) else { return nil }
        trim(&field, &samples)
        return (field, samples)
    }

    /// Drops the few samples that were not the bag, such as a background edge or an arm.
    private func trim(_ field: inout TossField, _ samples: inout [TossTrajectory.Sample]) {
        let kept = samples.filter { isOn(field, $0) }
        guard kept.count < samples.count, kept.count * 10 >= samples.count * 6,
            let clean = TossField(board: board, samples: kept, aspectRatio: aspectRatio, rules: rules)
        else { return }
        (field, samples) = (clean, kept)
    }

    /// The confidence that something flew; tracklets on one path are independent evidence.
    private func confidence(of flight: FlightTrack, on field: TossField) -> Float {
        let tracklets = flight.tracklets.filter { tracklet in
            let near = tracklet.samples.count { isOn(field, $0) }
            return Double(near) >= 0.8 * Double(tracklet.samples.count)
        }
        let doubt = tracklets.reduce(Float(1)) { $0 * (1 - $1.confidence) }
        // A path under gravity at the board's depth that comes down near the board is almost certainly a throw.
        let isLikely = Self.depths.contains(field.relativeDepth) && field.deviation < Self.tolerance / 2
        return isLikely ? (1 - doubt) * Self.odds / ((1 - doubt) * Self.odds + doubt) : 1 - doubt
    }

    private func isOn(_ field: TossField, _ sample: TossTrajectory.Sample) -> Bool {
        let predicted = field.point(at: sample.time)
        return hypot((predicted.x - sample.point.x) * aspectRatio, predicted.y - sample.point.y) < Self.tolerance
    }

    /// The forearm's direction at the release, in true proportions.
    private func forearmAngle(_ poses: [(time: TimeInterval, pose: Pose)], _ release: Release) -> Double? {
        guard let pose = poses.min(by: { abs($0.time - release.time) < abs($1.time - release.time) })?.pose,
            let elbow = pose.location(of: release.isLeft ? .leftElbow : .rightElbow, above: rules.jointConfidence),
            let wrist = pose.location(of: release.isLeft ? .leftWrist : .rightWrist, above: rules.jointConfidence)
        else { return nil }
        return abs(atan2(wrist.y - elbow.y, (wrist.x - elbow.x) * aspectRatio)) * 180 / .pi
    }

    /// The thrower's distance from the hole: the median, because a foot may be lifted.
    private func playerDistance(_ poses: [(time: TimeInterval, pose: Pose)], _ view: FieldView) -> Double? {
        poses.compactMap { TossPlayer($0.pose, view: view, aspectRatio: aspectRatio, rules: rules)?.distance }
            .quantile(0.5)
    }

    private func path(_ field: TossField, _ metrics: ThrowMetrics) -> [TossTrajectory.Sample] {
        let steps = 40
        return (0...steps).map { step in
            let time = metrics.start + (metrics.end - metrics.start) * Double(step) / Double(steps)
            return TossTrajectory.Sample(time: time, point: field.point(at: time))
        }
    }
}
