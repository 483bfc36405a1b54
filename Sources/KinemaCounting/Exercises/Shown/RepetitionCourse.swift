import Foundation

/// One repetition, resampled over the phase of shown exercises: 0 in the start posture, 1 at the turn, 2 back again.
struct RepetitionCourse: Sendable {
    /// Each measure at the points of the phase.
    private(set) var values: [BodyMeasure: [Double]] = [:]
    /// The seconds on the way out, near the turn, and on the way back.
    private(set) var out = 0.0, pause = 0.0, back = 0.0
    /// The camera's view of the body, degrees: 0 from the front, 90 from the side.
    let angle: Double?
    let start: TimeInterval, end: TimeInterval
    /// The joints at the points, as in `ShownExercise.skeleton`.
    private(set) var joints: [[SIMD3<Float>]] = []
    private(set) var isMirrored = false
    /// Whether it was cut from turn to turn instead of from start to start.
    private(set) var isRolled = false

    /// The confidence from which a measure is judged: one half, as for the faults of built-in exercises.
    static let judged: Float = 0.5
    /// The share of readings that must reach it.
    private static let enough = 0.5
    /// The number of samples in which a repetition's turn is searched for.
    private static let samples = 61
    /// The movement is at its turn beyond this share of the largest distance from the start posture.
    private static let near = 0.9
    /// The cap on a point's distance, in spreads: one bad joint must not decide.
    static let mostDistance = 4.0

    /// Makes the repetition that the counter found between two times; nil when there are too few readings or measures.
    init?(_ trail: ReadingTrail, from start: TimeInterval, to end: TimeInterval) {
        let readings = trail.between(start, end)
        guard readings.count >= 4, end - start > 0.1 else { return nil }
        (self.start, self.end) = (start, end)
        angle = readings.value(.view, .middle)
        var seen: [BodyMeasure: [(TimeInterval, Double)]] = [:]
        for measure in BodyMeasure.shown {
            let samples = readings.filter { $0.confidence(of: measure) >= Self.judged && $0[measure].isFinite }
            guard Double(samples.count) >= Self.enough * Double(readings.count), samples.count >= 3 else { continue }
            seen[measure] = samples.map { ($0.time, Double($0[measure])) }
        }
        let step = (end - start) / Double(Self.samples - 1)
        let grid = (0..<Self.samples).map { start + step * Double($0) }
        guard seen.count >= ShownLimits.measures,
            let turn = Self.turn(of: seen.mapValues { Self.interpolate($0, at: grid) })
        else { return nil }
        (out, pause) = (step * Double(turn.first), step * Double(turn.last - turn.first))
        back = end - start - out - pause
        let times = seconds.map { start + $0 }
        for (measure, samples) in seen { values[measure] = Self.interpolate(samples, at: times) }
        levelHeights()
        joints = times.map { time in readings.min { abs($0.time - time) < abs($1.time - time) }?.joints ?? [] }
    }

    private static func interpolate(_ samples: [(time: TimeInterval, value: Double)], at times: [TimeInterval])
        -> [Double]
    {
        var next = 0
        return times.map { time in
            while next < samples.count, samples[next].time < time { next += 1 }
            guard next > 0 else { return samples[0].value }
            guard next < samples.count else { return samples[samples.count - 1].value }
            let (a, b) = (samples[next - 1], samples[next])
            return a.value + (b.value - a.value) * (time - a.time) / max(b.time - a.time, 1e-9)
        }
    }

    /// The samples between which the posture is farthest from that at the ends, in natural spreads.
    private static func turn(of courses: [BodyMeasure: [Double]]) -> (first: Int, last: Int)? {
        var distances = [Double](repeating: 0, count: samples)
        for (measure, course) in courses {
            let (base, scale) = ((course[0] + course[samples - 1]) / 2, measure.traits.floor)
            for index in course.indices { distances[index] += pow((course[index] - base) / scale, 2) }
        }
        let near = distances.indices.filter { distances[$0] >= (distances.max() ?? 0) * Self.near * Self.near }
        guard let first = near.first, let last = near.last, distances[first] > 0 else { return nil }
        return (min(max(first, 1), samples - 2), min(max(last, 1), samples - 2))
    }

    /// Makes heights relative to the start posture.
    private mutating func levelHeights() {
        for (measure, course) in values where measure.isRelative {
            let offset = (course[0] + course[ShownExercise.points - 1]) / 2
            values[measure] = course.map { $0 - offset }
        }
    }

    static func mean(_ courses: [[Double]]) -> [Double] {
        (0..<ShownExercise.points).map { point in courses.reduce(0) { $0 + $1[point] } / Double(courses.count) }
    }
}

extension RepetitionCourse {
    var duration: TimeInterval { end - start }
    /// The seconds since the start at each point.
    var seconds: [Double] { ShownExercise.seconds(out: out, pause: pause, back: back) }

    /// The views that it is seen from: both, near the border between two.
    var views: Set<BodyView> {
        Set(angle.map { angle in [-10, 0, 10].map { BodyView(degrees: Float(angle + $0)) } } ?? [])
    }

    /// The side that the body hides in a side view; nil in other views and without depth.
    var farSide: BodySide? {
        guard let angle, BodyView(degrees: Float(angle)) == .side else { return nil }
        let depths = joints.filter { $0.count == BodyJoints.keys.count }.map { $0[1].z + $0[7].z - $0[2].z - $0[8].z }
        let sum = depths.reduce(0, +)
        return abs(sum) < 1e-3 ? nil : sum > 0 ? .right : .left
    }

    var mirrored: RepetitionCourse {
        var copy = self
        copy.isMirrored.toggle()
        copy.values = [:]
        for (measure, course) in values {
            let (other, sign) = measure.mirrored
            copy.values[other] = course.map { $0 * sign }
        }
        // Left and right alternate after the nose.
        copy.joints = joints.map { joints in
            joints.indices.map { joints[$0 == 0 ? 0 : $0 % 2 == 1 ? $0 + 1 : $0 - 1] * SIMD3(-1, 1, 1) }
        }
        return copy
    }

    /// The repetition as it would be if it began at its turn.
    var rolled: RepetitionCourse {
        let turn = ShownExercise.turn
        var copy = picking(Array(turn..<ShownExercise.points) + Array(1...turn))
        copy.isRolled.toggle()
        copy.levelHeights()
        (copy.out, copy.pause, copy.back) = (back, 0, out)
        return copy
    }

    /// The repetition with its points replaced by others of its points.
    private func picking(_ points: [Int]) -> RepetitionCourse {
        var copy = self
        copy.values = values.mapValues { course in points.map { course[$0] } }
        copy.joints = points.map { joints[$0] }
        return copy
    }

    /// The mean distance from other courses, in units of their spreads; nil when too few measures are seen in both.
    func distance(
        to others: [BodyMeasure: [Double]], most: Double = mostDistance, spread: (BodyMeasure) -> [Double]
    ) -> Double? {
        let all = others.compactMap { measure, other -> Double? in
            guard let own = values[measure] else { return nil }
            let spread = spread(measure)
            return own.indices.reduce(0) { $0 + min(most, abs(own[$1] - other[$1]) / spread[$1]) }
        }
        guard all.count >= ShownLimits.measures else { return nil }
        return all.reduce(0, +) / Double(all.count * ShownExercise.points)
    }

    /// The share of the given measures that it has: in a side view only one side of the body is seen.
    func share(of measures: some Collection<BodyMeasure>) -> Double {
        Double(measures.count { values[$0] != nil }) / Double(max(1, measures.count))
    }

    /// The repetition aligned to the shown courses by dynamic time warping over all measures, by at most `band` points,
    /// since timing is judged separately.
    func aligned(to shown: ShownExercise) -> RepetitionCourse {
        let measures = shown.measures.compactMap { one in values[one.measure].map { (own: $0, one.mean, one.spread) } }
        let (points, band) = (ShownExercise.points, 2)
        // The least sum up to each pair of points, and its predecessor.
        var sums = [[Double]](repeating: .init(repeating: .infinity, count: points), count: points)
        var before = [[(Int, Int)]](repeating: .init(repeating: (0, 0), count: points), count: points)
        for i in 0..<points {
            for j in max(0, i - band)...min(points - 1, i + band) {
                let cost = measures.reduce(0) { $0 + min(Self.mostDistance, abs($1.own[j] - $1.1[i]) / $1.2[i]) }
                let steps = [(i - 1, j - 1), (i - 1, j), (i, j - 1)].filter { $0.0 >= 0 && $0.1 >= 0 }
                before[i][j] = steps.min { sums[$0.0][$0.1] < sums[$1.0][$1.1] } ?? (0, 0)
                sums[i][j] = cost + (i + j == 0 ? 0 : sums[before[i][j].0][before[i][j].1])
            }
        }
        var matches = [[Int]](repeating: [], count: points)
        var place = (points - 1, points - 1)
        while place != (0, 0) {
            matches[place.0].append(place.1)
            place = before[place.0][place.1]
        }
        matches[0].append(0)
        return picking(matches.map { $0[$0.count / 2] })
    }
}
