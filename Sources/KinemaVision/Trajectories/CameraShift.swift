/// How far the picture moved from frame to frame because the camera did: one shift for all of it.
///
/// Lucas and Kanade's method ("An iterative image registration technique", 1981) on the points with the steepest
/// gradients, weighted so that what moves by itself does not count (Tukey-like weights).
struct CameraShift: Sendable {
    /// A point by which a shift shows.
    private struct Landmark {
        var x: Int
        var y: Int
        var slope: SIMD2<Float>
        var value: Float
    }

    /// The frame looked at last.
    private var last: PlanePicture?
    private var speed = SIMD2<Float>()

    /// One landmark is taken from every square of that side.
    private static let cell = 5
    /// Slopes below that, in steps of 255 a pixel, are grain.
    private static let minimumSlope: Float = 4
    /// Fewer landmarks say nothing about the camera.
    private static let minimumCount = 24
    /// When half of the landmarks are off by more, in steps of 255, it is another scene.
    private static let newScene: Float = 28

    /// How far everything moved since the frame before, in the picture's pixels (x right, y down); nil for a new scene.
    mutating func update(_ picture: PlanePicture) -> SIMD2<Double>? {
        defer { last = picture }
        guard let last else { return .zero }
        guard last.width == picture.width, last.height == picture.height else { return nil }
        let landmarks = Self.landmarks(of: last)
        guard landmarks.count >= Self.minimumCount else { return .zero }
        // The camera goes on as it went, or rests.
        let starts = speed == .zero ? [speed] : [speed, .zero]
        let found = starts.map { Self.refine($0, landmarks, in: picture) }.min { $0.error < $1.error }
        guard let found, found.error < Self.newScene else {
            speed = .zero
            return nil
        }
        speed = found.shift
        return SIMD2(Double(speed.x), Double(speed.y))
    }

    private static func refine(
        _ start: SIMD2<Float>, _ landmarks: [Landmark], in picture: PlanePicture
    ) -> (shift: SIMD2<Float>, error: Float) {
        var best = (shift: start, error: Float.infinity)
        var shift = start
        for _ in 0..<8 {
            let errors = landmarks.map { landmark in
                picture.value(Float(landmark.x) + shift.x, Float(landmark.y) + shift.y) - landmark.value
            }
            let median = Self.median(of: errors)
            if median < best.error { best = (shift, median) }
            // Three robust deviations, and never less than the grain of a sensor.
            let reach = max(6, 3 * 1.48 * median)
            var (xx, xy, yy, xe, ye): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
            for (landmark, error) in zip(landmarks, errors) where abs(error) < reach {
                let ratio = error / reach
                let weight = (1 - ratio * ratio) * (1 - ratio * ratio)
                let slope = landmark.slope
                xx += weight * slope.x * slope.x
                xy += weight * slope.x * slope.y
                yy += weight * slope.y * slope.y
                xe += weight * slope.x * error
                ye += weight * slope.y * error
            }
            // A little stiffness, so that a picture with lines of one direction only does not slide along them.
            (xx, yy) = (xx + 200, yy + 200)
            let determinant = xx * yy - xy * xy
            guard determinant > 1 else { break }
            let step = SIMD2(xy * ye - yy * xe, xy * xe - xx * ye) / determinant
            shift += step
            // Further than a tenth of the picture is a cut.
            guard abs(shift.x) < 0.1 * Float(picture.width), abs(shift.y) < 0.1 * Float(picture.height) else { break }
            if abs(step.x) + abs(step.y) < 0.005 {
                best.shift = shift
                break
            }
        }
        return best
    }

    private static func landmarks(of picture: PlanePicture) -> [Landmark] {
        var landmarks: [Landmark] = []
        for top in stride(from: 1, to: picture.height - cell, by: cell) {
            for left in stride(from: 1, to: picture.width - cell, by: cell) {
                var best: Landmark?
                var steepest = minimumSlope * minimumSlope
                for y in top..<top + cell {
                    for x in left..<left + cell {
                        let slope = picture.slope(x, y)
                        let size = slope.x * slope.x + slope.y * slope.y
                        guard size > steepest else { continue }
                        steepest = size
                        best = Landmark(x: x, y: y, slope: slope, value: Float(picture.pixels[y * picture.width + x]))
                    }
                }
                if let best { landmarks.append(best) }
            }
        }
        return landmarks
    }

    /// The median of the sizes, to a whole step.
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

extension PlanePicture {
    /// Central differences.
    fileprivate func slope(_ x: Int, _ y: Int) -> SIMD2<Float> {
        let place = y * width + x
        return SIMD2(
            Float(Int(pixels[place + 1]) - Int(pixels[place - 1])) / 2,
            Float(Int(pixels[place + width]) - Int(pixels[place - width])) / 2)
    }

    /// The value between four pixels; beyond the edge the edge's own.
    fileprivate func value(_ x: Float, _ y: Float) -> Float {
        let (x, y) = (min(max(x, 0), Float(width) - 1.001), min(max(y, 0), Float(height) - 1.001))
        let (column, row) = (Int(x), Int(y))
        let (dx, dy) = (x - Float(column), y - Float(row))
        let place = row * width + column
        let top = Float(pixels[place]) * (1 - dx) + Float(pixels[place + 1]) * dx
        let bottom = Float(pixels[place + width]) * (1 - dx) + Float(pixels[place + width + 1]) * dx
        return top * (1 - dy) + bottom * dy
    }
}
