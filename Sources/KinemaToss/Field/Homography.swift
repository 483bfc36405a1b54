import Foundation

/// The map from a flat thing's own coordinates to the picture that four points of it give.
struct Homography {
    private let h: [Double]

    /// From four pairs of points, no three on a line; nil when there is no such map.
    init?(from source: [CGPoint], to target: [CGPoint]) {
        guard source.count == 4, target.count == 4 else { return nil }
        var rows: [[Double]] = []
        for (s, t) in zip(source, target) {
            rows.append([s.x, s.y, 1, 0, 0, 0, -t.x * s.x, -t.x * s.y, t.x])
            rows.append([0, 0, 0, s.x, s.y, 1, -t.y * s.x, -t.y * s.y, t.y])
        }
        guard let solution = LeastSquares.solve(&rows) else { return nil }
        h = solution
    }

    /// Where a point goes.
    func callAsFunction(_ point: CGPoint) -> CGPoint {
        let w = h[6] * point.x + h[7] * point.y + 1
        return CGPoint(
            x: (h[0] * point.x + h[1] * point.y + h[2]) / w, y: (h[3] * point.x + h[4] * point.y + h[5]) / w)
    }
}
