import Foundation
package import KinemaCore

/// One person's joints in the picture over time, evenly sampled.
package struct MeasuredTrack: Sendable {
    /// One frame of the person.
    package struct Sample: Sendable {
        /// Seconds.
        package var time: Double
        /// x and y in picture heights, y up, and the confidence, for each of `joints`; NaN for missing joints.
        package var values: [SIMD3<Float>]
        /// The sideways turn of the body by its depth, 0...1; NaN without depth.
        package var sideways: Float

        /// Takes the joints of a pose in a picture of an aspect ratio (width by height).
        package init(_ pose: Pose, at time: Double, aspectRatio: Double) {
            self.time = time
            values = MeasuredTrack.joints.map { key in
                // Joints beyond the picture's edge are guesses.
                guard let joint = pose.keypoints[key], joint.confidence > 0,
                    MeasuredTrack.inside.contains(joint.location.x), MeasuredTrack.inside.contains(joint.location.y)
                else { return SIMD3(.nan, .nan, 0) }
                return SIMD3(Float(joint.location.x * aspectRatio), Float(joint.location.y), joint.confidence)
            }
            let space = pose.keypoints3D.mapValues { SIMD3<Double>($0.position) }
            sideways = SideView(space).map { Float($0.sideways) } ?? .nan
        }
    }

    package static let joints = BodySkeleton.withFeet

    /// The bounds within which joints count: the picture plus a margin of a fiftieth.
    private static let inside = CGFloat(-0.02)...1.02

    /// The bounds within which joints of a person leaving the picture are not guesses: the picture minus a fiftieth at
    /// its edges.
    private static let clear = 0.02...0.98

    /// The most samples of a track: an hour at 60 frames a second.
    package static let longest = 216_000

    /// Whether the samples last longer than `longest`, so that only their beginning is in the track.
    package let isCut: Bool
    let rate: Double
    let times: [Double]
    let sideways: [Double]
    let aspectRatio: Double
    private(set) var paths: [JointKey: JointPath] = [:]

    /// Resamples onto an even time base; samples not later than their predecessor are dropped. Nil for fewer than two.
    package init?(_ samples: [Sample], aspectRatio: Double, confidence: Double) {
        let steps = zip(samples, samples.dropFirst()).map { $1.time - $0.time }.filter { $0 > 1e-6 }
        guard let first = samples.first, !steps.isEmpty else { return nil }
        let rate = 1 / steps.median
        let slots = samples.map { Int(clamping: ($0.time - first.time) * rate) }
        let last = slots.max() ?? 0
        isCut = last >= Self.longest
        let count = min(last, Self.longest - 1) + 1
        var times = (0..<count).map { first.time + Double($0) / rate }
        var sideways = [Double](repeating: .nan, count: count)
        var rows = [Int?](repeating: nil, count: count)
        for (index, slot) in slots.enumerated() where slot >= 0 && slot < count {
            (rows[slot], times[slot], sideways[slot]) = (index, samples[index].time, Double(samples[index].sideways))
        }
        (self.rate, self.times, self.sideways, self.aspectRatio) = (rate, times, sideways, aspectRatio)
        for (column, key) in Self.joints.enumerated() {
            let cells = rows.map { $0.map { samples[$0].values[column] } ?? SIMD3(.nan, .nan, 0) }
            let known = cells.map { Double($0.z) >= confidence && $0.x.isFinite }
            guard known.contains(true) else { continue }
            paths[key] = JointPath(
                x: zip(cells, known).map { $1 ? Double($0.x) : .nan },
                y: zip(cells, known).map { $1 ? Double($0.y) : .nan },
                confidence: zip(cells, known).map { $1 ? Double($0.z) : 0 })
        }
        addMiddle(.neck, of: .leftShoulder, .rightShoulder)
        addMiddle(.root, of: .leftHip, .rightHip)
    }

    private mutating func addMiddle(_ key: JointKey, of left: JointKey, _ right: JointKey) {
        guard paths[key] == nil, let one = paths[left], let other = paths[right] else { return }
        paths[key] = JointPath(middle: one, other)
    }

    /// The track without outliers and short gaps.
    func cleaned(longestGap: Double) -> MeasuredTrack {
        let gap = Int(clamping: longestGap * rate)
        return mapped { path in
            // At least a hundredth of the picture: a movement without noise has no outliers.
            var clean = path.map { SignalFilter.hampel($0, least: 0.005) }
            for index in 0..<count where clean.x[index] != path.x[index] || clean.y[index] != path.y[index] {
                clean.confidence[index] = 0
            }
            return clean.map { SignalFilter.filled($0, longest: gap) }
        }
    }

    func filtered(_ cutOff: Double) -> MeasuredTrack {
        mapped { path in path.map { SignalFilter.lowPass($0, cutOff: cutOff, rate: rate) } }
    }

    private func mapped(_ change: (JointPath) -> JointPath) -> MeasuredTrack {
        var result = self
        result.paths = paths.mapValues(change)
        return result
    }

    /// The track as seen from a place that moves the other way: x grows by `speed` a second.
    func moved(_ speed: Double) -> MeasuredTrack {
        mapped { path in
            JointPath(x: zip(path.x, times).map { $0 + speed * $1 }, y: path.y, confidence: path.confidence)
        }
    }

    /// The track in metres on the floor: x along it from the middle of the picture, y above it.
    func onFloor(_ floor: FloorLine, metresPerUnit: Double) -> MeasuredTrack {
        let (c, s) = (cos(floor.angle * .pi / 180), sin(floor.angle * .pi / 180))
        return mapped { path in
            let places = zip(path.x, path.y).map { SIMD2($0 - aspectRatio / 2, $1 - floor.height) }
            return JointPath(
                x: places.map { ($0.x * c + $0.y * s) * metresPerUnit },
                y: places.map { ($0.y * c - $0.x * s) * metresPerUnit }, confidence: path.confidence)
        }
    }

    var count: Int { times.count }

    func position(_ key: JointKey, _ index: Int) -> SIMD2<Double>? { paths[key]?[index] }

    /// The lowest confidence of some joints; 0 if one is missing.
    func confidence(_ keys: [JointKey], _ index: Int) -> Double {
        keys.map { paths[$0]?.confidence[index] ?? 0 }.min() ?? 0
    }

    /// Whether the joints are seen away from the picture's edge.
    func isClear(_ keys: [JointKey], _ index: Int) -> Bool {
        keys.allSatisfy { key in
            position(key, index).map { Self.clear.contains($0.x / aspectRatio) && Self.clear.contains($0.y) } ?? false
        }
    }

    /// The share of frames in which a joint is within a twentieth of the picture's left or right edge, where lenses distort.
    var edgeShare: Double {
        let near = times.indices.count { index in
            paths.values.contains { abs($0.x[index] / aspectRatio - 0.5) > 0.45 }
        }
        return Double(near) / Double(count)
    }

    /// The distance between two joints; nil if one is missing.
    func distance(_ one: JointKey, _ other: JointKey, _ index: Int) -> Double? {
        guard let a = position(one, index), let b = position(other, index) else { return nil }
        return ((a - b) * (a - b)).sum().squareRoot()
    }

    /// The time at a fractional index, seconds.
    func time(_ index: Double) -> Double { SignalFilter.value(times, at: min(max(index, 0), Double(count - 1))) }

    /// An event at a fractional index that some joints show; of them, those that are never seen do not count.
    func event(_ kind: MeasureEvent.Kind, _ side: String?, of keys: [JointKey], at index: Double) -> MeasureEvent {
        let frame = Int(min(max(index, 0), Double(count - 1)).rounded())
        let known = keys.compactMap { paths[$0]?.confidence[frame] }
        return MeasureEvent(
            kind: kind, side: side, time: time(index),
            confidence: known.reduce(0, +) / Double(max(1, known.count)))
    }
}
