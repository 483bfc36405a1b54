import Foundation
package import KinemaCore

/// The angles of one person over time under Sports2D's names, in degrees.
package struct AngleSeries: Sendable {
    /// Seconds, increasing.
    package let times: [Double]
    /// One value for each time, unwrapped; nil where unknown.
    package let angles: [String: [Double?]]
    /// The view of the person; nil if not stated.
    package let view: MeasureView?

    /// The names of all angles in table order.
    package static let names =
        JointAngles.names + ["Neck"]
        + ["Right", "Left"].flatMap { ["\($0) shoulder abduction", "\($0) hip abduction"] }

    package init(times: [Double], angles: [String: [Double?]], view: MeasureView? = nil) {
        (self.times, self.view) = (times, view)
        self.angles = angles.mapValues(JointAngles.unwrapped)
    }

    /// Computes angles from markers in the plane of a view: x to the right, y up, z towards the camera, any unit.
    ///
    /// The plane is vertical: perpendicular to the line between the hips, or along it for the front view, averaged over
    /// the frames. Hips at the same z lie in the image plane already. Nil for fewer than two frames.
    package init?(_ markers: [(time: Double, places: [JointKey: SIMD3<Double>])], view: MeasureView) {
        let hips = markers.compactMap { frame in
            frame.places[.leftHip].flatMap { left in frame.places[.rightHip].map { SIMD2($0.x - left.x, $0.z - left.z) }
            }
        }
        var angle = 0.0
        if hips.contains(where: { $0.y != 0 }) {
            // A line has no sign, so average doubled angles.
            let sum = hips.map { SIMD2($0.x * $0.x - $0.y * $0.y, 2 * $0.x * $0.y) }.reduce(.zero, +)
            angle = atan2(sum.y, sum.x) / 2
            if view != .front { angle += angle > 0 ? -.pi / 2 : .pi / 2 }
        }
        let axis = SIMD2(cos(angle), sin(angle))
        let samples = markers.map { frame in
            MeasuredTrack.Sample(frame.places.mapValues { SIMD2($0.x * axis.x + $0.z * axis.y, $0.y) }, at: frame.time)
        }
        guard let track = MeasuredTrack(samples, aspectRatio: 1, confidence: 0) else { return nil }
        let found = ViewAngles.all(track, view: view).map { ($0.name, $0.values) }
        self.init(times: track.times, angles: Dictionary(uniqueKeysWithValues: found), view: view)
    }
}

extension MeasuredTrack.Sample {
    fileprivate init(_ places: [JointKey: SIMD2<Double>], at time: Double) {
        (self.time, sideways) = (time, .nan)
        values = MeasuredTrack.joints.map { key in
            places[key].map { SIMD3(Float($0.x), Float($0.y), 1) } ?? SIMD3(.nan, .nan, 0)
        }
    }
}

/// The agreement of two measurements of an angle, in degrees: Bland and Altman, The Lancet 327 (1986).
package struct AngleAgreement: Sendable {
    package let name: String
    /// The number of moments compared.
    package let count: Int
    package let rmse: Double
    /// The mean of result minus reference.
    package let bias: Double
    /// The bias minus and plus 1.96 standard deviations of the differences.
    package let limits: (lower: Double, upper: Double)
    /// Pearson's correlation; nil if either is constant.
    package let correlation: Double?

    /// Compares the angles that both have, at the times of the result plus `offset` seconds.
    ///
    /// The reference is interpolated linearly, but not over gaps that measuring leaves open. Angles with fewer than two
    /// common moments are left out.
    package static func all(_ result: AngleSeries, _ truth: AngleSeries, offset: Double = 0) -> [AngleAgreement] {
        let places = result.times.map { place(of: $0 + offset, in: truth.times) }
        return AngleSeries.names.compactMap { name in
            guard let found = result.angles[name], let known = truth.angles[name] else { return nil }
            let pairs = zip(found, places).compactMap { value, place -> (truth: Double, difference: Double)? in
                guard let value, let place, let before = known[place.index] else { return nil }
                guard let after = place.share > 0 ? known[place.index + 1] : before else { return nil }
                let actual = before + (after - before) * place.share
                // Two series may be a full turn apart.
                return (actual, (value - actual).remainder(dividingBy: 360))
            }
            return AngleAgreement(name, pairs)
        }
    }

    private init?(_ name: String, _ pairs: [(truth: Double, difference: Double)]) {
        guard pairs.count > 1 else { return nil }
        let count = Double(pairs.count)
        func mean(_ value: ((truth: Double, difference: Double)) -> Double) -> Double {
            pairs.map(value).reduce(0, +) / count
        }
        let (middle, bias) = (mean(\.truth), mean(\.difference))
        let reach = 1.96 * (mean { ($0.difference - bias) * ($0.difference - bias) } * count / (count - 1)).squareRoot()
        (self.name, self.count, self.bias) = (name, pairs.count, bias)
        rmse = mean { $0.difference * $0.difference }.squareRoot()
        limits = (bias - reach, bias + reach)
        let truth = { (pair: (truth: Double, difference: Double)) in pair.truth - middle }
        let found = { (pair: (truth: Double, difference: Double)) in truth(pair) + pair.difference - bias }
        let spread = (truth: mean { truth($0) * truth($0) }, found: mean { found($0) * found($0) })
        correlation =
            min(spread.truth, spread.found) > 1e-9
            ? mean { truth($0) * found($0) } / (spread.truth * spread.found).squareRoot() : nil
    }

    /// The index of the last sample at or before a time, and the fraction of the way to the next; nil outside and in
    /// gaps.
    private static func place(of time: Double, in times: [Double]) -> (index: Int, share: Double)? {
        let next = times.partitioningIndex { $0 > time }
        guard next > 0 else { return nil }
        let before = times[next - 1]
        if before == time { return (next - 1, 0) }
        guard next < times.count, times[next] - before <= MeasureOptions().longestGap else { return nil }
        return (next - 1, (time - before) / (times[next] - before))
    }
}
