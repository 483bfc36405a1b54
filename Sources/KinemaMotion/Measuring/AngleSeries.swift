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
