import KinemaCore

/// A belt on which a person walks or runs in one place.
struct Treadmill {
    /// Metres per second; nil if it is not stated.
    var speed: Double?
    /// 1 for a person who faces the picture's right side, -1 for the left.
    var direction: Double

    /// Metres by which each foot passes the hips, and by which a foot on the belt is above its lowest place: half a step
    /// of slow walking, and the landmark noise of feet.
    private static let (leastSwing, onBelt) = (0.2, 0.05)
    /// The share of time of each foot on the belt: less than in running (0.3), more than on a pedal or an elliptical
    /// trainer, where a foot is lowest only in passing.
    private static let leastContact = 0.33
    /// Metres per second: the slowest belt.
    private static let leastSpeed = 0.2
    /// The correlation of the two feet: they swing in turn.
    private static let mostCorrelation = -0.3

    /// A treadmill of a stated speed under a person of an unfiltered track in metres.
    init(speed: Double, under track: MeasuredTrack) { (self.speed, direction) = (speed, Self.facing(track)) }

    /// Finds whether a person who stays in one place walks there; nil if not.
    init?(under track: MeasuredTrack) {
        guard let root = track.paths[.root] else { return nil }
        let feet = LimbJoints.both.compactMap { track.paths[$0.ankle] }
        guard feet.count == 2 else { return nil }
        let courses = feet.map { foot in zip(foot.x, root.x).map { $0 - $1 } }
        guard courses.allSatisfy({ Self.extent($0) > Self.leastSwing }),
            Self.correlation(courses[0], courses[1]) < Self.mostCorrelation,
            feet.allSatisfy({ Self.touches($0, rate: track.rate) })
        else { return nil }
        (speed, direction) = (nil, Self.facing(track))
    }

    /// The distance between the twentieths at both ends.
    private static func extent(_ values: [Double]) -> Double {
        let known = values.filter(\.isFinite)
        guard let low = known.quantile(0.05), let high = known.quantile(0.95) else { return 0 }
        return high - low
    }

    private static func correlation(_ one: [Double], _ other: [Double]) -> Double {
        let pairs = zip(one, other).filter { $0.isFinite && $1.isFinite }
        let count = Double(max(1, pairs.count))
        let (a, b) = (pairs.map(\.0).reduce(0, +) / count, pairs.map(\.1).reduce(0, +) / count)
        let square = (
            pairs.map { ($0.0 - a) * ($0.0 - a) }.reduce(0, +), pairs.map { ($0.1 - b) * ($0.1 - b) }.reduce(0, +)
        )
        return pairs.map { ($0.0 - a) * ($0.1 - b) }.reduce(0, +) / max(1e-12, (square.0 * square.1).squareRoot())
    }

    /// Whether a foot rests on something that moves: it is low for a good part of the time, and not in one place then.
    private static func touches(_ foot: JointPath, rate: Double) -> Bool {
        let known = foot.y.indices.filter { foot[$0] != nil }
        guard let lowest = known.map({ foot.y[$0] }).quantile(0.05) else { return false }
        let low = known.filter { foot.y[$0] < lowest + onBelt }
        let speed = SignalFilter.derivative(SignalFilter.lowPass(foot.x, cutOff: 6, rate: rate), rate: rate)
        let paces = low.map { abs(speed[$0]) }.filter(\.isFinite)
        return Double(low.count) > leastContact * Double(known.count) && !paces.isEmpty && paces.median > leastSpeed
    }

    /// The direction in which the toes point, or the nose.
    private static func facing(_ track: MeasuredTrack) -> Double {
        let pairs: [(JointKey, JointKey)] = [
            (.leftHeel, .leftFootTip), (.rightHeel, .rightFootTip), (.neck, .nose),
        ]
        let ways = pairs.flatMap { from, to in
            (0..<track.count).compactMap { index in
                track.position(from, index).flatMap { start in track.position(to, index).map { $0.x - start.x } }
            }
        }
        return !ways.isEmpty && ways.median < 0 ? -1 : 1
    }
}
