/// Estimates the camera's motion from frame to frame as one shift, by the method of Lucas and Kanade ("An iterative
/// image registration technique", 1981) on the steepest points. Tukey-like weights exclude moving objects.
struct CameraMotionEstimator: Sendable {
    private struct Feature {
        var x: Int
        var y: Int
        var slope: SIMD2<Float>
        var value: Float
    }

    private var last: PlanePicture?
    private var lastShift = SIMD2<Float>()

    /// The side of the squares, each of which gives at most one feature.
    private static let cell = 5
    /// The minimum slope in levels of 255 per pixel; smaller ones are noise.
    private static let minimumSlope: Float = 4
    /// The minimum number of features for an estimate.
    private static let minimumCount = 24
    /// The median error in levels of 255 above which the picture shows another scene.
    private static let newSceneError: Float = 28

    /// The shift since the previous frame in the picture's pixels (x right, y down); nil for a new scene.
    mutating func update(_ picture: PlanePicture) -> SIMD2<Double>? {
        defer { last = picture }
        guard let last else { return .zero }
        guard last.width == picture.width, last.height == picture.height else { return nil }
        let features = last.steepestPoints(cell: Self.cell, rim: 1, minimumSlope: Self.minimumSlope).map { x, y in
            Feature(x: x, y: y, slope: last.slope(x, y), value: Float(last.pixels[y * last.width + x]))
        }
        guard features.count >= Self.minimumCount else { return .zero }
        // The camera usually continues its motion or stops.
        let starts = lastShift == .zero ? [lastShift] : [lastShift, .zero]
        let found = starts.map { Self.refine($0, features, in: picture) }.min { $0.error < $1.error }
        guard let found, found.error < Self.newSceneError else {
            lastShift = .zero
            return nil
        }
        lastShift = found.shift
        return SIMD2(Double(lastShift.x), Double(lastShift.y))
    }

    private static func refine(
        _ start: SIMD2<Float>, _ features: [Feature], in picture: PlanePicture
    ) -> (shift: SIMD2<Float>, error: Float) {
        var best = (shift: start, error: Float.infinity)
        var shift = start
        for _ in 0..<8 {
            let errors = features.map { feature in
                picture.value(Float(feature.x) + shift.x, Float(feature.y) + shift.y) - feature.value
            }
            let median = Self.median(of: errors)
            if median < best.error { best = (shift, median) }
            // Three robust deviations, but at least a sensor's noise.
            let reach = max(6, 3 * 1.48 * median)
            var (xx, xy, yy, xe, ye): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
            for (feature, error) in zip(features, errors) where abs(error) < reach {
                let ratio = error / reach
                let weight = (1 - ratio * ratio) * (1 - ratio * ratio)
                let slope = feature.slope
                xx += weight * slope.x * slope.x
                xy += weight * slope.x * slope.y
                yy += weight * slope.y * slope.y
                xe += weight * slope.x * error
                ye += weight * slope.y * error
            }
            // Regularisation prevents drift along parallel lines.
            (xx, yy) = (xx + 200, yy + 200)
            let determinant = xx * yy - xy * xy
            guard determinant > 1 else { break }
            let step = SIMD2(xy * ye - yy * xe, xy * xe - xx * ye) / determinant
            shift += step
            // A shift of more than a tenth of the picture is a cut.
            guard abs(shift.x) < 0.1 * Float(picture.width), abs(shift.y) < 0.1 * Float(picture.height) else { break }
            if abs(step.x) + abs(step.y) < 0.005 {
                best.shift = shift
                break
            }
        }
        return best
    }

    /// The median of the absolute values, rounded to a level.
    private static func median(of values: [Float]) -> Float {
        var counts = [Int](repeating: 0, count: 256)
        for value in values { counts[Int(min(abs(value), 255))] += 1 }
        var rest = values.count / 2
        for (step, count) in counts.enumerated() {
            rest -= count
            if rest < 0 { return Float(step) + 0.5 }
        }
        return 255
    }
}
