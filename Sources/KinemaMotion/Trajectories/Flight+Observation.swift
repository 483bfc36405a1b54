import Foundation
package import KinemaCore

extension Flight {
    /// The flight as Vision tells it: its newest `length` points, normalised, and the parabola through all of them.
    package func observation(length: Int, aspectRatio: Double) -> TrajectoryObservation {
        let newest = points.suffix(length)
        let parabola = parabola
        func normalized(_ place: SIMD2<Double>) -> NormalizedPoint {
            NormalizedPoint(x: place.x, y: place.y * aspectRatio)
        }
        return TrajectoryObservation(
            uuid: id, confidence: Float(confidence), timeRange: start..<end,
            detectedPoints: newest.map { normalized($0.object.position) }, detectedTimes: newest.map(\.time),
            projectedPoints: newest.map { normalized(parabola.nearest(to: $0.object.position)) },
            equationCoefficients: SIMD3(
                Float(parabola.a * aspectRatio), Float(parabola.b * aspectRatio), Float(parabola.c * aspectRatio)),
            movingAverageRadius: radius)
    }

    /// The path through the picture, in picture widths.
    package var parabola: PathParabola {
        let places = points.map(\.object.position)
        // Straight up and down there is no parabola; its height is all there is to tell.
        return PathParabola(places)
            ?? PathParabola(a: 0, b: 0, c: places.reduce(0) { $0 + $1.y } / Double(max(1, places.count)))
    }
}

extension PathParabola {
    /// The place on the parabola nearest to a point.
    package func nearest(to point: SIMD2<Double>) -> SIMD2<Double> {
        var x = point.x
        // Newton's method on the squared distance, in steps that never pass the point's own distance.
        for _ in 0..<12 {
            let (off, slope) = (self(x) - point.y, 2 * a * x + b)
            let gradient = x - point.x + off * slope
            let curvature = max(1 + slope * slope + 2 * a * off, 0.5 * (1 + slope * slope))
            let step = gradient / curvature
            x -= step
            if abs(step) < 1e-9 { break }
        }
        return SIMD2(x, self(x))
    }
}
