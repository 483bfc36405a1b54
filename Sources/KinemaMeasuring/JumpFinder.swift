import Foundation
import KinemaCore

/// Finds jumps and hops: both feet in the air together, and the hips in free fall. A foot that is held up is not on the
/// floor before or after; who lands on the other foot runs.
///
/// Take-off is when the toes leave the floor. Landing is when the hips are back at their height at take-off, as the
/// flight-time method assumes: foot landmarks lag by 0.05 s at landing on rendered figures, hips do not.
struct JumpFinder {
    /// Metres per second squared: standard gravity (CGPM 1901).
    static let gravity = 9.80665
    /// Metres; feet more than this above their resting height are in the air.
    private static let leastRise = 0.04
    /// Seconds: a longer delay between the feet at take-off or landing is a step.
    private static let together = 0.15
    /// The hips' acceleration in the air, as shares of gravity, allowing for bent knees and scale errors.
    private static let fall = 0.4...1.7
    /// The samples next to take-off and landing to which free fall is fitted.
    private static let fitted = 5

    /// Seconds before take-off in which the feet extend on the floor.
    private static let stretching = 0.12

    /// Metres above the other foot's resting height from which a foot is held up: more than perspective explains
    /// (`FloorFinder`).
    private static let heldUp = 0.12

    let flights: [(takeOff: Double, landing: Double)]
    /// Flights of which one end was not seen: the first sample in the air, and what is missing.
    let missed: [(index: Int, reason: String)]

    /// Searches an unfiltered track in metres; times are fractional indices.
    init(_ track: MeasuredTrack) {
        let heights = LimbJoints.both.compactMap { side in (track.paths[side.toe] ?? track.paths[side.ankle])?.y }
        guard heights.count == 2, let root = track.paths[.root]?.y else {
            (flights, missed) = ([], [])
            return
        }
        let feet = Self.rises(of: heights, rate: track.rate)
        let runs = SignalFilter.runs(track.count) { index in feet.allSatisfy { $0[index] > Self.leastRise } }
        flights = runs.compactMap { Self.flight(feet, root, in: $0, rate: track.rate, count: track.count) }
        missed = runs.compactMap { run in
            Self.missing(feet, root, in: run, rate: track.rate).map { (run.lowerBound, $0) }
        }
    }

    /// What is not seen of a flight; nil if it is seen whole, or is none.
    private static func missing(_ feet: [[Double]], _ root: [Double], in run: Range<Int>, rate: Double) -> String? {
        let (count, gap) = (root.count, max(1, Int((together * rate).rounded())))
        guard run.count >= 4, let apex = arc(root, run, rate) else { return nil }
        func isHidden(_ indices: Range<Int>) -> Bool {
            feet.contains { foot in indices.allSatisfy { !foot[$0].isFinite } }
        }
        if run.lowerBound == 0 { return apex > 0 ? "the take-off is before the recording" : nil }
        if run.upperBound == count { return "the landing is after the recording" }
        if isHidden(run.upperBound..<min(count, run.upperBound + gap)) { return "the landing is out of view" }
        return isHidden(max(0, run.lowerBound - gap)..<run.lowerBound) ? "the take-off is out of view" : nil
    }

    /// The free fall of the hips in a range: when they are highest, in samples; nil if they do not fall freely.
    private static func arc(_ root: [Double], _ run: Range<Int>, _ rate: Double) -> Double? {
        let points = run.compactMap { root[$0].isFinite ? (x: Double($0) / rate, y: root[$0]) : nil }
        guard let arc = SignalFilter.parabola(points), fall.contains(-2 * arc.2 / gravity) else { return nil }
        return -arc.1 / (2 * arc.2) * rate
    }

    private static func flight(
        _ feet: [[Double]], _ root: [Double], in run: Range<Int>, rate: Double, count: Int
    ) -> (takeOff: Double, landing: Double)? {
        guard run.count >= 4, run.lowerBound > 0, run.upperBound < count else { return nil }
        let gap = Int((together * rate).rounded())
        func support(_ indices: Range<Int>) -> [Bool] {
            feet.map { foot in indices.contains { foot[$0] <= leastRise } }
        }
        let before = support(max(0, run.lowerBound - gap)..<run.lowerBound)
        let after = support(run.upperBound..<min(count, run.upperBound + gap))
        // Who runs leaves the floor with one foot and lands on the other.
        guard zip(before, after).contains(where: { $0 && $1 }), let apex = arc(root, run, rate) else { return nil }
        // Of a hop, the foot that is held up shows nothing.
        let pushing = feet.indices.filter { before[$0] }
        let mean = feet[0].indices.map { index in
            pushing.map { feet[$0][index] }.reduce(0, +) / Double(pushing.count)
        }
        guard let takeOff = takeOff(mean, run, rate: rate) else { return nil }
        guard apex > takeOff, apex < Double(run.upperBound) else { return nil }
        return (takeOff, min(2 * apex - takeOff, Double(count - 1)))
    }

    /// The heights of two feet above the floor: above their own resting heights, or above that of the other foot while
    /// held up.
    private static func rises(of heights: [[Double]], rate: Double) -> [[Double]] {
        let rests = heights.map { rest(of: $0, rate: rate) }
        return zip(heights, zip(rests, rests.reversed())).map { height, rests in
            height.indices.map { index in
                let (own, other) = (rests.0[index], rests.1[index])
                return height[index] - (own > other + heldUp ? other : own)
            }
        }
    }

    /// The foot's resting height over time: the lowest fifth within a second and a half.
    private static func rest(of height: [Double], rate: Double) -> [Double] {
        let reach = Int(1.5 * rate)
        // Once in a fifth of a second is enough.
        let step = max(1, Int(rate / 5))
        let rests = stride(from: 0, to: height.count, by: step).map { start in
            height[max(0, start - reach)..<min(height.count, start + reach)].filter(\.isFinite).quantile(0.2) ?? .nan
        }
        return height.indices.map { rests[$0 / step] }
    }

    /// The time when the feet left the ground: where the gravity parabola through the first samples in the air meets
    /// the height of the extended feet just before. Nil without such samples.
    private static func takeOff(_ rise: [Double], _ run: Range<Int>, rate: Double) -> Double? {
        let reach = Int((stretching * rate).rounded(.up))
        let ground = rise[max(0, run.lowerBound - reach)..<run.lowerBound].filter(\.isFinite).median
        let edge = run.first { rise[$0] > ground + leastRise } ?? run.lowerBound
        // y + g t²/2 is a straight line in free fall.
        let lines = (edge..<min(edge + fitted, run.upperBound)).filter { rise[$0].isFinite }.map { index in
            let t = Double(index - edge) / rate
            return (t: t, y: rise[index] - ground + gravity / 2 * t * t)
        }
        let count = Double(lines.count)
        let (mt, my) = (lines.map(\.t).reduce(0, +) / count, lines.map(\.y).reduce(0, +) / count)
        let square = lines.map { ($0.t - mt) * ($0.t - mt) }.reduce(0, +)
        guard square > 0 else { return nil }
        let v = lines.map { ($0.t - mt) * ($0.y - my) }.reduce(0, +) / square
        let root = v * v + 2 * gravity * (my - v * mt)
        guard root >= 0 else { return Double(edge) }
        let before = (v - root.squareRoot()) / gravity
        return Double(edge) + min(max(before, -stretching), 0) * rate
    }

    /// The jumps; `centre` is the height of the centre of mass in metres, `knees` the knee angles over time.
    func findings(_ track: MeasuredTrack, centre: [Double], knees: [[Double?]]) -> [JumpFinding] {
        flights.map { flight in
            let time = track.time(flight.landing) - track.time(flight.takeOff)
            // The feet may have left the floor before the recording, and a flight may lie between two samples.
            let inside = max(0, Int(flight.takeOff.rounded(.up)))..<max(0, Int(flight.landing) + 1)
            let points = inside.filter { centre[$0].isFinite }.map { (x: Double($0), y: centre[$0]) }
            let rise = SignalFilter.parabola(points).flatMap { a, b, c -> Double? in
                guard c < 0 else { return nil }
                return a - b * b / (4 * c) - (a + b * flight.takeOff + c * flight.takeOff * flight.takeOff)
            }
            let bends = knees.map { SignalFilter.value($0.map { $0 ?? .nan }, at: flight.landing) }.filter(\.isFinite)
            return JumpFinding(
                takeOff: track.time(flight.takeOff), landing: track.time(flight.landing), flightTime: time,
                heightByTime: Self.gravity * time * time / 8, heightByRise: rise,
                kneeAtLanding: bends.isEmpty ? nil : bends.reduce(0, +) / Double(bends.count))
        }
    }

    /// Take-off and landing of some of the flights.
    func events(_ track: MeasuredTrack, at chosen: [Int]) -> [MeasureEvent] {
        let feet = LimbJoints.both.flatMap(\.foot)
        return chosen.flatMap { index in
            [
                track.event(.takeOff, nil, of: feet, at: flights[index].takeOff),
                track.event(.landing, nil, of: feet, at: flights[index].landing),
            ]
        }
    }
}
