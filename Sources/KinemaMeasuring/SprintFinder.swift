import KinemaCore

/// Finds the start of a sprint: the set position, the first movement, and the first three steps.
///
/// `GaitFinder` needs feet that land ahead of the hips; the first steps of a sprint land below or behind them, so
/// contacts are the times at which a foot comes to rest.
struct SprintFinder {
    /// Metres per second: hips slower than the first are at rest; hips never faster than the second do not run (people
    /// change from walking to running at about 2 m/s).
    private static let (restingSpeed, runningSpeed) = (0.1, 2.0)
    /// Seconds: the shortest set position, and the shortest contact of a foot.
    private static let (shortestSet, shortestContact) = (0.3, 0.05)
    /// Hertz: the low-pass cut-offs for hips and feet, as in `GaitFinder`, and for the set position, whose length noise
    /// must not cut.
    private static let (cutOff, stillCutOff) = (7.0, 3.0)
    /// The speed below which a foot is on the ground: a share of the hips' speed, as in `GaitFinder`, and at least this many
    /// metres per second.
    private static let (groundShare, leastSpeed) = (0.35, 0.3)
    private static let mostSteps = 3
    private static let angles = ["Trunk", "Left knee", "Right knee", "Left hip", "Right hip"]

    /// A foot on the ground: fractional indices, and the toe's position along the floor in metres.
    private struct Contact {
        var start, end: Double
        var place: Double
    }

    private let track: MeasuredTrack
    /// The hips along the floor, metres per second.
    private let speed: [Double]
    /// The frames of the set position, and the fractional index of the first movement after it.
    private let stillness: Range<Int>
    private let movement: Double

    /// Searches an unfiltered track in metres; nil without a set position followed by a run.
    init?(_ track: MeasuredTrack) {
        guard let root = track.paths[.root] else { return nil }
        func pace(_ cutOff: Double) -> [Double] {
            let (x, y) = (Self.speed(root.x, cutOff, track.rate), Self.speed(root.y, cutOff, track.rate))
            return zip(x, y).map { ($0 * $0 + $1 * $1).squareRoot() }
        }
        let (hips, still) = (pace(Self.cutOff), pace(Self.stillCutOff))
        let speed = Self.speed(root.x, Self.cutOff, track.rate)
        let sets = SignalFilter.runs(track.count) { still[$0] < Self.restingSpeed }
            .filter { Double($0.count) >= Self.shortestSet * track.rate }
        let starts = SignalFilter.runs(track.count) { abs(speed[$0]) > Self.runningSpeed }.map(\.lowerBound)
        let found = starts.lazy.compactMap { start -> (Range<Int>, Double)? in
            guard let stillness = sets.last(where: { $0.lowerBound < start }),
                let last = (stillness.lowerBound..<start).last(where: { hips[$0] < Self.restingSpeed })
            else { return nil }
            let (from, to) = (hips[last], hips[last + 1])
            return (stillness, Double(last) + (to.isFinite ? (Self.restingSpeed - from) / (to - from) : 1))
        }
        guard let first = found.first else { return nil }
        (self.track, self.speed, stillness, movement) = (track, speed, first.0, first.1)
    }

    private static func speed(_ path: [Double], _ cutOff: Double, _ rate: Double) -> [Double] {
        SignalFilter.derivative(SignalFilter.lowPass(path, cutOff: cutOff, rate: rate), rate: rate)
    }

    /// The angles in the set position, and the steps.
    func finding(_ quantities: [String: MeasuredQuantity]) -> SprintFinding {
        let known = Self.angles.compactMap { name -> (String, Double)? in
            let values = quantities[name].map { quantity in stillness.compactMap { quantity.values[$0] } } ?? []
            return values.isEmpty ? nil : (name, values.median)
        }
        return SprintFinding(
            firstMovement: track.time(movement), angles: Dictionary(uniqueKeysWithValues: known), steps: steps)
    }

    private var steps: [SprintFinding.Step] {
        let feet = LimbJoints.both.map { (side: $0.name, contacts: contacts(of: $0)) }
        let moves = feet.flatMap { foot in
            zip(foot.contacts, foot.contacts.dropFirst()).map { from, to in (side: foot.side, from: from, to: to) }
        }
        var steps: [SprintFinding.Step] = []
        for move in moves.sorted(by: { $0.to.start < $1.to.start }).prefix(Self.mostSteps) {
            let velocity = SignalFilter.value(speed, at: move.from.end)
            // Two steps of one foot: a contact of the other is missing.
            guard steps.last?.side != move.side, velocity.isFinite,
                let other = feet.first(where: { $0.side != move.side })?.contacts.last(where: {
                    $0.start < move.to.start
                })
            else { break }
            steps.append(
                SprintFinding.Step(
                    side: move.side, toeOff: track.time(move.from.end), contact: track.time(move.to.start),
                    speed: abs(velocity), length: abs(move.to.place - other.place)))
        }
        return steps
    }

    /// The contacts of a foot, from that of the set position on.
    private func contacts(of side: LimbJoints) -> [Contact] {
        guard let toe = (track.paths[side.toe] ?? track.paths[side.ankle])?.x else { return [] }
        let excess = zip(Self.speed(toe, Self.cutOff, track.rate), speed).map { foot, hips in
            abs(foot) - max(Self.leastSpeed, hips.isFinite ? Self.groundShare * abs(hips) : 0)
        }
        let least = max(2, Int(Self.shortestContact * track.rate))
        let runs = SignalFilter.runs(track.count) { excess[$0] <= 0 }.filter { $0.count >= least }
        let first = runs.lastIndex { Double($0.lowerBound) <= movement } ?? runs.endIndex
        return runs[first...].map { run -> Contact in
            // The limit is crossed between two frames.
            func crossing(_ inside: Int, _ outside: Int) -> Double {
                guard excess.indices.contains(outside), excess[outside].isFinite else { return Double(inside) }
                return Double(inside) + Double(outside - inside) * excess[inside] / (excess[inside] - excess[outside])
            }
            return Contact(
                start: crossing(run.lowerBound, run.lowerBound - 1), end: crossing(run.upperBound - 1, run.upperBound),
                place: toe[run].filter(\.isFinite).median)
        }
    }
}

/// A belt on which a person walks or runs in one place.
struct Treadmill {
    /// Metres per second; nil if it is not stated.
    var speed: Double?
    /// 1 for a person who faces the picture's right side, -1 for the left.
    var direction: Double

    /// Metres by which each foot passes the hips, and by which a foot on the belt is above its lowest place: half a step
    /// of slow walking, and the landmark noise of feet.
    private static let (leastSwing, onBelt) = (0.2, 0.05)
    /// The share of time of each foot on the belt: less than in walking (0.6), where one always is, and less than in
    /// running (0.35), where the hips rise and fall by at least so many metres (0.06 to 0.1; Cavanagh and Kram, Med Sci
    /// Sports Exerc 21, 1989). On a pedal or an elliptical trainer a foot is lowest only in passing.
    private static let (leastContact, leastRunning, leastBounce) = (0.45, 0.3, 0.03)
    /// Metres per second: the slowest belt.
    private static let leastSpeed = 0.2
    /// The correlation of the two feet: they swing in turn.
    private static let mostCorrelation = -0.3

    /// A treadmill of a stated speed under a person of an unfiltered track in metres.
    init(speed: Double, under track: MeasuredTrack) { (self.speed, direction) = (speed, Self.facing(track)) }

    /// Finds whether a person who stays in one place walks there; nil if not.
    init?(under track: MeasuredTrack) {
        guard let shares = Self.contactShares(track), shares.allSatisfy({ $0 > 0 }) else { return nil }
        (speed, direction) = (nil, Self.facing(track))
    }

    /// Why feet that swing in turn under somebody who stays in one place are on no belt; nil if they are, or do not
    /// swing.
    static func objection(under track: MeasuredTrack) -> String? {
        guard let shares = contactShares(track), shares.contains(where: { $0 < 0 }) else { return nil }
        return "the feet are lowest only in passing, as on pedals or an elliptical trainer"
    }

    /// By how much the share of time of each foot on the belt exceeds the least; 0 for feet that rest in one place. Nil
    /// if the feet do not swing in turn.
    private static func contactShares(_ track: MeasuredTrack) -> [Double]? {
        guard let root = track.paths[.root] else { return nil }
        let feet = LimbJoints.both.compactMap { track.paths[$0.ankle] }
        guard feet.count == 2 else { return nil }
        let courses = feet.map { foot in zip(foot.x, root.x).map { $0 - $1 } }
        guard courses.allSatisfy({ extent($0) > leastSwing }),
            correlation(courses[0], courses[1]) < mostCorrelation
        else { return nil }
        let least = extent(root.y) < leastBounce ? leastContact : leastRunning
        return feet.map { contactShare($0, rate: track.rate).map { $0 - least } ?? 0 }
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

    /// The share of time for which a foot is low; nil if it is in one place then, or unknown.
    private static func contactShare(_ foot: JointPath, rate: Double) -> Double? {
        let known = foot.y.indices.filter { foot[$0] != nil }
        guard let lowest = known.map({ foot.y[$0] }).quantile(0.05) else { return nil }
        let low = known.filter { foot.y[$0] < lowest + onBelt }
        let speed = SignalFilter.derivative(SignalFilter.lowPass(foot.x, cutOff: 6, rate: rate), rate: rate)
        let paces = low.map { abs(speed[$0]) }.filter(\.isFinite)
        guard !paces.isEmpty, paces.median > leastSpeed else { return nil }
        return Double(low.count) / Double(known.count)
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
