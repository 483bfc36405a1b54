package struct FlightTruth: Codable, Sendable, Equatable {
    /// The release and the landing, in seconds.
    package var start, end: Double
    /// The times at which the ball is in the picture, in seconds from the first frame.
    package var times: [Double]
    /// The position at each of these times: x and y, normalised, origin at the lower left.
    package var points: [[Double]]
    /// The mean radius of the ball, in picture widths.
    package var radius: Double
    /// a, b and c of y = ax² + bx + c, fitted by least squares; empty if the points have no horizontal extent.
    package var coefficients: [Double]
}

extension SynthScene {
    /// The flights that are visible in at least five frames.
    package func flightTruth() -> [FlightTruth] {
        balls.flatMap { ball in ball.flights.compactMap { truth(of: $0, radius: ball.radius) } }
            .sorted { $0.start < $1.start }
    }

    private func truth(of flight: BallisticFlight, radius: Double) -> FlightTruth? {
        var truth = FlightTruth(
            start: flight.start, end: flight.end, times: [], points: [], radius: 0, coefficients: [])
        for frame in 0..<frameCount {
            let time = frameRate.seconds(atFrame: frame)
            let projection = projection(at: frame)
            guard let position = flight.position(at: time), let image = projection.normalized(position),
                (0...1).contains(image.x), (0...1).contains(image.y)
            else { continue }
            truth.times.append(time)
            truth.points.append([image.x, image.y])
            truth.radius += projection.focal * radius / projection.cameraSpace(position).z / Double(settings.width)
        }
        guard truth.times.count >= 5 else { return nil }
        truth.radius /= Double(truth.times.count)
        truth.coefficients = Self.parabola(truth.points) ?? []
        return truth
    }

    /// Fits a parabola by least squares, about the mean for numerical stability.
    private static func parabola(_ points: [[Double]]) -> [Double]? {
        let count = Double(points.count)
        let mean = points.reduce(0) { $0 + $1[0] } / count
        var sums = [Double](repeating: 0, count: 5)
        var right = [Double](repeating: 0, count: 3)
        for point in points {
            let u = point[0] - mean
            let powers = [1, u, u * u, u * u * u, u * u * u * u]
            for index in 0..<5 { sums[index] += powers[index] }
            for index in 0..<3 { right[index] += powers[index] * point[1] }
        }
        // Cramer's rule for the three normal equations.
        func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1])
        }
        let columns = [[sums[0], sums[1], sums[2]], [sums[1], sums[2], sums[3]], [sums[2], sums[3], sums[4]]]
        let divisor = determinant(columns[0], columns[1], columns[2])
        guard abs(divisor) > 1e-15 else { return nil }
        let c = determinant(right, columns[1], columns[2]) / divisor
        let b = determinant(columns[0], right, columns[2]) / divisor
        let a = determinant(columns[0], columns[1], right) / divisor
        return [a, b - 2 * a * mean, c - b * mean + a * mean * mean]
    }
}
