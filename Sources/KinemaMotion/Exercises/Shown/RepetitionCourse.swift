import Foundation

/// One repetition on the phase of shown exercises: 0 in the start posture, 1 at the turn, 2 back again.
struct RepetitionCourse: Sendable {
    /// Each measure at the points of the phase.
    private(set) var values: [BodyMeasure: [Double]] = [:]
    /// The seconds on the way out, near the turn, and on the way back.
    private(set) var out = 0.0, pause = 0.0, back = 0.0
    /// The camera's view of the body, degrees: 0 from the front, 90 from the side.
    private(set) var angle: Double?
    let start: TimeInterval, end: TimeInterval
    /// The times of the points.
    private(set) var times: [TimeInterval] = []
    /// The joints at the points, as in `ShownExercise.skeleton`.
    private(set) var joints: [[SIMD3<Float>]] = []
    private(set) var isMirrored = false
    /// Whether it was cut from turn to turn instead of from start to start.
    private(set) var isRolled = false

    /// The confidence from which a measure is judged: half sure, as for the faults of built-in exercises.
    static let judged: Float = 0.5
    /// The share of readings that must reach it.
    private static let enough = 0.5
    /// The samples of a repetition in which its turn is searched.
    private static let samples = 61
    /// From this share of the largest distance from the start posture on, the movement is at its turn.
    private static let near = 0.9

    /// The counter ends a repetition when most of its way back was seen. Within this share of its duration before and
    /// after, the start posture is searched.
    static let margin = 0.3
    /// From this share of the way from the turn on, the posture is that of the start.
    private static let rest: Float = 0.93

    /// The repetition that the counter found between two times; nil when there are too few readings or measures.
    init?(_ trail: ReadingTrail, from start: TimeInterval, to end: TimeInterval) {
        let margin = Self.margin * (end - start)
        let around = Array(trail.between(start - margin, end + margin))
        let (first, last) = Self.ends(of: around, from: start, to: end)
        let readings = trail.between(first, last)
        guard readings.count >= 4, last - first > 0.1 else { return nil }
        self.init(readings, from: first, to: last)
    }

    /// The last moment in the start posture before the movement, and the first after it.
    private static func ends(of around: [BodyReading], from start: TimeInterval, to end: TimeInterval) -> (
        TimeInterval, TimeInterval
    ) {
        let margin = Self.margin * (end - start)
        let inside = around.filter { $0.time >= start && $0.time <= end }
        guard let first = inside.first, let last = inside.last else { return (start, end) }
        func difference(_ one: BodyReading, _ other: BodyReading) -> [Float] {
            BodyMeasure.shown.map { measure in
                guard min(one.confidence(of: measure), other.confidence(of: measure)) >= judged else { return 0 }
                let apart = (one[measure] - other[measure]) / Float(measure.floor)
                return apart.isFinite ? apart : 0
            }
        }
        func distance(_ one: BodyReading, _ other: BodyReading) -> Float {
            difference(one, other).reduce(0) { $0 + abs($1) }
        }
        func apart(_ one: BodyReading) -> Float { distance(one, first) + distance(one, last) }
        guard let turn = inside.max(by: { apart($0) < apart($1) }) else { return (start, end) }
        // The way from the turn to the start posture, as a share of the whole: noise in other directions does not matter.
        func shares(_ readings: [BodyReading]) -> [(time: TimeInterval, share: Float)] {
            guard let far = readings.max(by: { distance($0, turn) < distance($1, turn) }) else { return [] }
            let way = difference(far, turn)
            let whole = max(way.reduce(0) { $0 + $1 * $1 }, 1e-6)
            return readings.map { one in
                (one.time, zip(difference(one, turn), way).reduce(0) { $0 + $1.0 * $1.1 } / whole)
            }
        }
        let before = shares(around.filter { $0.time < turn.time && $0.time <= start + margin })
        let after = shares(around.filter { $0.time > turn.time && $0.time >= end - margin })
        return (before.last { $0.share >= rest }?.time ?? start, after.first { $0.share >= rest }?.time ?? end)
    }

    private init?(_ readings: ArraySlice<BodyReading>, from start: TimeInterval, to end: TimeInterval) {
        (self.start, self.end) = (start, end)
        let grid = (0..<Self.samples).map { start + (end - start) * Double($0) / Double(Self.samples - 1) }
        var fine: [BodyMeasure: [Double]] = [:]
        for measure in BodyMeasure.shown {
            let seen = readings.filter { $0.confidence(of: measure) >= Self.judged && $0[measure].isFinite }
            guard Double(seen.count) >= Self.enough * Double(readings.count), seen.count >= 3 else { continue }
            fine[measure] = Self.interpolate(seen.map { ($0.time, Double($0[measure])) }, at: grid)
        }
        guard fine.count >= 4, let turn = Self.turn(of: fine) else { return nil }
        let step = (end - start) / Double(Self.samples - 1)
        (out, pause) = (Double(turn.first) * step, Double(turn.last - turn.first) * step)
        back = end - start - out - pause
        let middle = Double(turn.first + turn.last) / 2
        let places = (0..<ShownExercise.points).map { point in
            let share = Double(point) / Double(ShownExercise.turn)
            return share <= 1 ? share * middle : middle + (share - 1) * (Double(Self.samples - 1) - middle)
        }
        for (measure, course) in fine {
            let points = places.map { Self.value(of: course, at: $0) }
            let offset = measure.isRelative ? (points[0] + points[ShownExercise.points - 1]) / 2 : 0
            values[measure] = points.map { $0 - offset }
        }
        times = places.map { start + $0 * step }
        joints = times.map { time in readings.min { abs($0.time - time) < abs($1.time - time) }?.joints ?? [] }
        angle = readings.value(.view, .middle)
    }

    private static func value(of course: [Double], at place: Double) -> Double {
        let low = min(Int(place), course.count - 2)
        return course[low] + (course[low + 1] - course[low]) * (place - Double(low))
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
            let (base, scale) = ((course[0] + course[samples - 1]) / 2, measure.floor)
            for index in course.indices { distances[index] += pow((course[index] - base) / scale, 2) }
        }
        guard let most = distances.max(), most > 0 else { return nil }
        let near = distances.indices.filter { distances[$0] >= most * Self.near * Self.near }
        guard let first = near.first, let last = near.last else { return nil }
        return (min(max(first, 1), samples - 2), min(max(last, 1), samples - 2))
    }

    /// The views that it is seen from: next to the border between two, both.
    var views: Set<BodyView> {
        let border = 10.0
        return Set(angle.map { angle in [-border, 0, border].map { BodyView(degrees: Float(angle + $0)) } } ?? [])
    }

    /// The side nearer to a camera at the side; nil in other views and without depth.
    var nearSide: BodySide? {
        guard let angle, BodyView(degrees: Float(angle)) == .side else { return nil }
        let depths = joints.filter { $0.count == BodyJoints.keys.count }.map { $0[1].z + $0[7].z - $0[2].z - $0[8].z }
        let sum = depths.reduce(0, +)
        return abs(sum) < 1e-3 ? nil : sum > 0 ? .left : .right
    }

    /// The repetition in the mirror.
    var mirrored: RepetitionCourse {
        var copy = self
        copy.isMirrored.toggle()
        copy.values = [:]
        for (measure, course) in values {
            let (other, sign) = measure.mirrored
            copy.values[other] = course.map { $0 * sign }
        }
        copy.joints = joints.map(Self.mirror)
        return copy
    }

    private static func mirror(_ joints: [SIMD3<Float>]) -> [SIMD3<Float>] {
        joints.indices.map { index in
            // Left and right alternate after the nose.
            let other = joints[index == 0 ? 0 : index % 2 == 1 ? index + 1 : index - 1]
            return SIMD3(-other.x, other.y, other.z)
        }
    }

    /// The repetition as it would be if it began at its turn.
    var rolled: RepetitionCourse {
        var copy = self
        copy.isRolled.toggle()
        for (measure, course) in values {
            let shifted = Self.roll(course)
            let offset = measure.isRelative ? (shifted[0] + shifted[ShownExercise.points - 1]) / 2 : 0
            copy.values[measure] = shifted.map { $0 - offset }
        }
        (copy.joints, copy.times) = (Self.roll(joints), Self.roll(times))
        (copy.out, copy.pause, copy.back) = (back, 0, out)
        return copy
    }

    private static func roll<Value>(_ course: [Value]) -> [Value] {
        Array(course[ShownExercise.turn...] + course[1...ShownExercise.turn])
    }

    /// The repetition with its points moved to those of the courses they match best: dynamic time warping over all
    /// measures, by at most `band` points, since timing is judged by itself.
    func aligned(to shown: ShownExercise) -> RepetitionCourse {
        let measures = shown.measures.compactMap { one in values[one.measure].map { (own: $0, one.mean, one.spread) } }
        guard !measures.isEmpty else { return self }
        let (points, band) = (ShownExercise.points, 2)
        var sums = [[Double]](repeating: .init(repeating: .infinity, count: points), count: points)
        for i in 0..<points {
            for j in max(0, i - band)...min(points - 1, i + band) {
                let cost = measures.reduce(0) { $0 + min(4, abs($1.own[j] - $1.1[i]) / $1.2[i]) }
                let before = [
                    i > 0 && j > 0 ? sums[i - 1][j - 1] : .infinity, i > 0 ? sums[i - 1][j] : .infinity,
                    j > 0 ? sums[i][j - 1] : .infinity,
                ]
                sums[i][j] = cost + (i + j == 0 ? 0 : before.min() ?? 0)
            }
        }
        var matches = [[Int]](repeating: [], count: points)
        var (i, j) = (points - 1, points - 1)
        matches[i].append(j)
        while i + j > 0 {
            let steps = [(i - 1, j - 1), (i - 1, j), (i, j - 1)].filter { $0.0 >= 0 && $0.1 >= 0 }
            (i, j) = steps.min { sums[$0.0][$0.1] < sums[$1.0][$1.1] } ?? (0, 0)
            matches[i].append(j)
        }
        let places = matches.map { $0[$0.count / 2] }
        var copy = self
        copy.values = values.mapValues { course in places.map { course[$0] } }
        (copy.joints, copy.times) = (places.map { joints[$0] }, places.map { times[$0] })
        return copy
    }
}

extension BodyMeasure {
    /// The spread of a measure when nothing more is known than what is published.
    var floor: Double {
        let (one, other) = naturalSpread
        return (one * one + other * other).squareRoot()
    }
}
