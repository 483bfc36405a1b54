/// What a flight in a rendered scene looks like, exactly.
package struct FlightTruth: Codable, Sendable, Equatable {
    /// Seconds.
    package var start: Double
    /// Seconds.
    package var end: Double
    /// When the ball is in the picture, seconds from the first frame.
    package var times: [Double]
    /// Where it is then: x and y, normalised, origin at the lower left.
    package var points: [[Double]]
    /// The ball's mean radius in picture widths.
    package var radius: Double
    /// a, b and c of y = ax² + bx + c, the least squares through the points; empty when they lie above one another.
    package var coefficients: [Double]
}

extension SynthScene {
    /// The flights that show in at least five frames.
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
            guard let place = flight.position(at: time), let spot = projection.normalized(place),
                (0...1).contains(spot.x), (0...1).contains(spot.y)
            else { continue }
            truth.times.append(time)
            truth.points.append([spot.x, spot.y])
            truth.radius += projection.focal * radius / projection.seen(place).z / Double(settings.width)
        }
        guard truth.times.count >= 5 else { return nil }
        truth.radius /= Double(truth.times.count)
        truth.coefficients = Self.parabola(truth.points) ?? []
        return truth
    }

    /// Least squares of the heights, about the middle for the numbers' sake.
    private static func parabola(_ points: [[Double]]) -> [Double]? {
        let count = Double(points.count)
        let middle = points.reduce(0) { $0 + $1[0] } / count
        var sums = [Double](repeating: 0, count: 5)
        var right = [Double](repeating: 0, count: 3)
        for point in points {
            let u = point[0] - middle
            let powers = [1, u, u * u, u * u * u, u * u * u * u]
            for index in 0..<5 { sums[index] += powers[index] }
            for index in 0..<3 { right[index] += powers[index] * point[1] }
        }
        // Cramer's rule for the three normal equations.
        func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1])
        }
        let columns = [[sums[0], sums[1], sums[2]], [sums[1], sums[2], sums[3]], [sums[2], sums[3], sums[4]]]
        let whole = determinant(columns[0], columns[1], columns[2])
        guard abs(whole) > 1e-15 else { return nil }
        let c = determinant(right, columns[1], columns[2]) / whole
        let b = determinant(columns[0], right, columns[2]) / whole
        let a = determinant(columns[0], columns[1], right) / whole
        return [a, b - 2 * a * middle, c - b * middle + a * middle * middle]
    }
}
