import Foundation
import KinemaCore

/// Finds the steps of a person walking or running across the picture.
///
/// Contacts and toe-offs are first found as in Zeni, Richards and Higginson, "Two simple methods for determining gait
/// events", Gait & Posture 27 (2008): the heel farthest ahead of the hips and the toe farthest behind them. Each is
/// then moved to the time at which the foot comes to rest or starts to move.
struct GaitFinder {
    /// Metres per second; slower people are not walking. The second holds where nobody is faster: the slowest patients
    /// after a stroke walk at 0.1 to 0.3 m/s (Perry et al., Stroke 26, 1995).
    private static let leastSpeeds = [0.3, 0.08]
    /// Hertz: the low-pass cut-offs for the hips' speed, which removes single steps, for either speed; and for the feet
    /// (Zeni et al.).
    private static let (bodyCutOffs, footCutOff) = ([1.0, 0.3], 7.0)
    /// Seconds: half the shortest time between two contacts of a foot.
    private static let reach = 0.2
    /// The limits of the speed of a foot at rest: a share of the walking speed; metres per second that any landmark
    /// has; and a second's multiple of the noise above `footCutOff`, which leaves half of itself below.
    private static let (restShare, restSpeed, restNoise) = (0.35, 0.1, 20.0)
    /// Metres; the least distance of a landing foot from the hips.
    private static let leastReach = 0.05
    /// Metres; a shorter path is not walking.
    private static let leastWay = 0.8
    /// The least swing of a foot past the hips: metres, the shortest shuffling steps (festinating gait; Morris et al.,
    /// Brain 117 (1994)); and deviations of the noise above `footCutOff` in the same recording.
    private static let (leastSwing, leastDeviations) = (0.1, 8.0)
    /// Seconds: half the longest stride, within which a foot swings back: 0.28 strides a second in the slowest
    /// patients.
    private static let halfStride = 1.8
    /// The share of contacts after which a foot must come to rest: those who roll, ride or are pushed have none.
    private static let leastRests = 0.5
    /// The share of the time that each foot rests: walking has 0.6, running 0.25 to 0.35, and a pedal at its lowest
    /// point at most 0.12.
    private static let leastResting = 0.15
    /// Metres per second from which the contacts of runners are too short for that, and no bicycle's pedal ever rests.
    private static let runningSpeed = 2.5
    /// The share of a stride between the contacts of the two feet: less is a jump, or a swing through crutches.
    private static let leastPhase = 0.15
    /// The share of the person's height up to which hips are those of somebody on a chair: a seat of 0.45 m.
    private static let chair = 0.34

    private struct Moment {
        var side: LimbJoints
        var index: Double
        /// Whether the foot was seen coming to rest, or starting to move.
        var isRest: Bool
    }

    /// A foot relative to the hips along the direction of walking, its own speed, and the noise of the former.
    private typealias FootCourse = (ahead: [Double], speed: [Double], noise: Double)

    private let track: MeasuredTrack
    /// Whether the feet run on a belt of unknown speed, which has no place at rest.
    private let isOnUnknownBelt: Bool
    private var contacts: [Moment] = []
    private var toeOffs: [Moment] = []
    /// The ranges in which the person walks in one direction: 1 to the right, -1 to the left.
    private(set) var bouts: [(range: Range<Int>, direction: Double)] = []
    /// The samples in bouts in which each foot is seen, and in which it rests.
    private var resting: [String: (still: Int, known: Int)] = [:]
    /// Metres of the hips above the lower foot while the person moves along; nil if unknown.
    private var hips: Double?
    /// The person's height in metres; nil if unknown.
    private let height: Double?
    /// Metres by which a foot swings past the hips and back, and by which one is ahead of them.
    private var (swing, lead) = (0.0, 0.0)

    /// Searches an unfiltered track in metres; `belt` is what the person walks on, if that moves; `height` the
    /// person's.
    init(_ track: MeasuredTrack, height: Double? = nil, on belt: Treadmill? = nil) {
        let track = belt.map { track.moved($0.direction * ($0.speed ?? 0)) } ?? track
        (self.track, self.height) = (track, height)
        isOnUnknownBelt = belt != nil && belt?.speed == nil
        guard let root = track.paths[.root] else { return }
        let course = SignalFilter.filled(root.x, longest: Int(track.rate))
        var speed: [Double] = []
        for (cutOff, least) in zip(Self.bodyCutOffs, Self.leastSpeeds) where bouts.isEmpty {
            speed = SignalFilter.derivative(
                SignalFilter.lowPass(course, cutOff: cutOff, rate: track.rate), rate: track.rate)
            if let belt {
                bouts = SignalFilter.runs(course).map { ($0, belt.direction) }
            } else {
                findBouts(course, speed, least)
            }
        }
        for bout in bouts {
            for side in LimbJoints.both { find(side, in: bout.range, bout.direction, root: course, speed: speed) }
        }
        contacts.sort { $0.index < $1.index }
        toeOffs.sort { $0.index < $1.index }
        let soles = LimbJoints.both.map { FloorFinder.sole(of: $0, track, height: height ?? 0).y }
        let heights = bouts.flatMap(\.range).compactMap { index -> Double? in
            let lowest: Double? = soles.map { $0[index] }.filter(\.isFinite).min()
            guard let lowest, case let height = root.y[index] - lowest, height.isFinite else { return nil }
            return height
        }
        hips = heights.isEmpty ? nil : heights.median
    }

    private mutating func findBouts(_ course: [Double], _ speed: [Double], _ leastSpeed: Double) {
        for direction in [1.0, -1] {
            for run in SignalFilter.runs(track.count, where: { speed[$0] * direction > leastSpeed })
            where abs(course[run.upperBound - 1] - course[run.lowerBound]) > Self.leastWay {
                bouts.append((run, direction))
            }
        }
        bouts.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    private mutating func find(
        _ side: LimbJoints, in run: Range<Int>, _ direction: Double, root: [Double], speed: [Double]
    ) {
        guard let heel = (track.paths[side.heel] ?? track.paths[side.ankle])?.x,
            let toe = (track.paths[side.toe] ?? track.paths[side.ankle])?.x
        else { return }
        let (heelCourse, toeCourse) = (course(heel, root, direction), course(toe, root, direction))
        let reach = max(2, Int((Self.reach * track.rate).rounded()))
        func limit(_ index: Int) -> Double {
            max(Self.restShare * abs(speed[index]), Self.restSpeed, Self.restNoise * heelCourse.noise)
        }
        let sole = FloorFinder.sole(of: side, track, height: 0).map {
            let smooth = SignalFilter.lowPass($0, cutOff: Self.footCutOff, rate: track.rate)
            return SignalFilter.derivative(smooth, rate: track.rate)
        }
        let known = run.filter { sole[$0] != nil }
        let still = known.count { index in hypot(sole.x[index], sole.y[index]) < limit(index) }
        let before = resting[side.name] ?? (0, 0)
        resting[side.name] = (before.still + still, before.known + known.count)
        let places = run.map { heelCourse.ahead[$0] }.filter(\.isFinite)
        if let low = places.quantile(0.05), let high = places.quantile(0.95) {
            (swing, lead) = (max(swing, high - low), max(lead, high))
        }
        func moment(_ peak: Int, _ foot: [Double], _ window: [Int]) -> Moment {
            let rest = isOnUnknownBelt ? nil : Self.crossing(foot, below: limit(peak), window)
            // Hips that pause leave a foot that rests ahead for longer.
            let isRest = rest != nil || window.contains { abs(foot[$0]) <= limit(peak) }
            return Moment(side: side, index: rest ?? Double(peak), isRest: isRest)
        }
        contacts += peaks(heelCourse.ahead, in: run, reach, noise: heelCourse.noise).map { peak in
            let window = max(run.lowerBound, peak - reach / 2)...min(track.count - 1, peak + reach)
            return moment(peak, heelCourse.speed, Array(window))
        }
        toeOffs += peaks(toeCourse.ahead.map { -$0 }, in: run, reach, noise: toeCourse.noise).map { peak in
            let window = max(0, peak - reach)...min(track.count - 1, peak + reach / 2)
            return moment(peak, toeCourse.speed, window.reversed())
        }
    }

    private func course(_ foot: [Double], _ root: [Double], _ direction: Double) -> FootCourse {
        func smooth(_ path: [Double]) -> [Double] {
            SignalFilter.lowPass(path.map { $0 * direction }, cutOff: Self.footCutOff, rate: track.rate)
        }
        let (own, body) = (smooth(foot), smooth(root))
        let ahead = zip(own, body).map { $0 - $1 }
        let residues = ahead.indices.map { abs((foot[$0] - root[$0]) * direction - ahead[$0]) }.filter(\.isFinite)
        // 1.4826 scales the median deviation to the standard deviation of a normal distribution.
        let noise = residues.isEmpty ? 0 : 1.4826 * residues.median
        return (ahead, SignalFilter.derivative(own, rate: track.rate), noise)
    }

    /// The highest samples within `reach` of which the foot swings away by more than the noise explains.
    private func peaks(_ values: [Double], in run: Range<Int>, _ reach: Int, noise: Double) -> [Int] {
        let (half, least) = (Int(Self.halfStride * track.rate), max(Self.leastSwing, Self.leastDeviations * noise))
        return run.filter { index in
            let (low, high) = (max(0, index - reach), min(track.count - 1, index + reach))
            guard values[index] > Self.leastReach, index > low + 1, index < high - 1 else { return false }
            let stride = values[max(0, index - half)...min(track.count - 1, index + half)].filter(\.isFinite)
            return (low...high).allSatisfy { !(values[$0] > values[index]) }
                && values[low...high].allSatisfy(\.isFinite) && values[index] - (stride.min() ?? .infinity) > least
        }
    }

    /// The first time, forwards or backwards, at which a foot is slower than a limit, interpolated between samples.
    private static func crossing(_ speed: [Double], below limit: Double, _ window: [Int]) -> Double? {
        for (before, after) in zip(window, window.dropFirst()) where speed[before] > limit && speed[after] <= limit {
            return Double(before) + Double(after - before) * (speed[before] - limit) / (speed[before] - speed[after])
        }
        return nil
    }

    var events: [MeasureEvent] {
        contacts.map { track.event(.contact, $0.side.name, of: $0.side.foot, at: $0.index) }
            + toeOffs.map { track.event(.toeOff, $0.side.name, of: $0.side.foot, at: $0.index) }
    }

    /// The strides of one side between its contacts, as indices.
    func strides(of side: String) -> [ClosedRange<Double>] {
        let own = contacts.filter { $0.side.name == side }.map(\.index)
        return zip(own, own.dropFirst()).filter { isOneBout($0, $1) }.map { $0...$1 }
    }

    private func isOneBout(_ one: Double, _ other: Double) -> Bool {
        bouts.contains { $0.range.contains(Int(one)) && $0.range.contains(Int(other)) }
            && seconds(one, other) < 2 * Self.halfStride
    }

    /// Why what moves along is no gait; nil if it is one, or if nobody moves along.
    var objection: String? {
        guard !bouts.isEmpty else { return nil }
        if contacts.isEmpty, swing > Self.leastSwing {
            return lead <= Self.leastReach
                ? "the feet land beneath them, as on stairs" : "no foot swings past them and back within a stride"
        }
        if let hips, let height, hips < ChairFinder.seat * height {
            let posture = hips < Self.chair * height ? "sits" : "sits or crouches"
            return "the person \(posture): they are only \(hips.text(2)) m above the feet"
        }
        if contacts.isEmpty { return "no foot swings past them" }
        if let phase, phase < Self.leastPhase { return "both feet land together" }
        let shares = resting.values.filter { $0.known > 0 }.map { Double($0.still) / Double($0.known) }
        let rests = Double(contacts.count(where: \.isRest)) / Double(contacts.count)
        if !isOnUnknownBelt,
            rests < Self.leastRests || speed < Self.runningSpeed && shares.contains(where: { $0 < Self.leastResting })
        {
            return "the feet do not rest while they move, as on pedals or wheels"
        }
        return steps.count < 2 ? "fewer than two steps are seen" : nil
    }

    /// The median share of a stride from a contact to the nearest one of the other foot; nil without strides.
    private var phase: Double? {
        let lengths = LimbJoints.both.flatMap { strides(of: $0.name).map { $0.upperBound - $0.lowerBound } }
        guard !lengths.isEmpty else { return nil }
        let gaps = contacts.compactMap { contact in
            contacts.filter { $0.side.name != contact.side.name }.map { abs($0.index - contact.index) }.min()
        }
        return gaps.isEmpty ? nil : gaps.median / lengths.median
    }

    private func seconds(_ from: Double, _ to: Double) -> Double { track.time(to) - track.time(from) }

    private var steps: [GaitFinding.Step] {
        let pairs = zip(contacts, contacts.dropFirst()).filter {
            $0.side.name != $1.side.name && isOneBout($0.index, $1.index)
        }
        return pairs.map { one, other in
            let heels = [restingHeel(one), restingHeel(other)]
            return GaitFinding.Step(
                side: other.side.name, start: track.time(one.index), end: track.time(other.index),
                length: heels[0].place.flatMap { from in heels[1].place.map { abs($0 - from) } },
                unseen: heels.compactMap(\.reason).first)
        }
    }

    /// The steps; nil for fewer than two, and for what is no gait.
    var finding: GaitFinding? {
        let steps = steps
        guard objection == nil, let stepTime = MeasureMean(steps.map { $0.end - $0.start }), stepTime.mean > 0 else {
            return nil
        }
        let sides = LimbJoints.both.compactMap { side in
            MeasureMean(steps.filter { $0.side == side.name }.map { $0.end - $0.start })?.mean
        }
        return GaitFinding(
            cadence: 60 / stepTime.mean, speed: isOnUnknownBelt ? nil : speed,
            stepLength: MeasureMean(steps.compactMap(\.length)),
            stepTime: stepTime, stance: MeasureMean(LimbJoints.both.flatMap { stances(of: $0.name) }),
            symmetry: sides.count == 2 ? 2 * abs(sides[0] - sides[1]) / (sides[0] + sides[1]) : nil, steps: steps)
    }

    private func stances(of side: String) -> [Double] {
        strides(of: side).compactMap { stride in
            toeOffs.first { $0.side.name == side && stride.contains($0.index) }.map {
                seconds(stride.lowerBound, $0.index) / seconds(stride.lowerBound, stride.upperBound)
            }
        }
    }

    /// The distance between the first and last contact of each bout, divided by the time.
    private var speed: Double {
        guard let root = track.paths[.root]?.x else { return 0 }
        var (way, time) = (0.0, 0.0)
        for bout in bouts {
            let own = contacts.filter { bout.range.contains(Int($0.index)) }
            guard let first = own.first, let last = own.last else { continue }
            let ends = [first, last].map { SignalFilter.value(root, at: $0.index) }
            guard ends.allSatisfy(\.isFinite) else { continue }
            way += abs(ends[1] - ends[0])
            time += seconds(first.index, last.index)
        }
        return time > 0 ? way / time : 0
    }

    /// The heel's resting position after a contact, the median over the first half of stance; or why there is none.
    private func restingHeel(_ contact: Moment) -> (place: Double?, reason: String?) {
        guard !isOnUnknownBelt, let heel = (track.paths[contact.side.heel] ?? track.paths[contact.side.ankle])?.x
        else { return (nil, nil) }
        let off = toeOffs.first { $0.side.name == contact.side.name && $0.index > contact.index }?.index
        let stance = min(max((off ?? .infinity) - contact.index, 0.1 * track.rate), 0.6 * track.rate)
        let window = Int((contact.index + 0.1 * stance).rounded(.up))...Int(contact.index + 0.5 * stance + 1)
        guard window.upperBound < track.count else { return (nil, "the recording ends before the foot rests") }
        let places = window.map { heel[$0] }.filter(\.isFinite)
        return places.isEmpty ? (nil, "the \(contact.side.name) foot is not seen at rest") : (places.median, nil)
    }

    /// When a foot is not seen while the person walks, for longer than the shortest step takes: in seconds.
    var hidden: [(side: String, from: TimeInterval, to: TimeInterval)] {
        LimbJoints.both.flatMap { side in
            let heel = (track.paths[side.heel] ?? track.paths[side.ankle])?.x
            let runs = SignalFilter.runs(track.count) { index in
                heel.map { !$0[index].isFinite } ?? true && bouts.contains { $0.range.contains(index) }
            }
            return runs.filter { Double($0.count) > 2 * Self.reach * track.rate }
                .map { (side.name, track.times[$0.lowerBound], track.times[$0.upperBound - 1]) }
        }
    }
}
