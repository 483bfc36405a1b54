import Foundation

/// The homography that four point pairs define, such as from a plane to the picture.
struct Homography {
    private let h: [Double]

    /// Makes a homography from four point pairs, no three on a line; nil if there is none.
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

    func callAsFunction(_ point: CGPoint) -> CGPoint {
        let w = h[6] * point.x + h[7] * point.y + 1
        return CGPoint(
            x: (h[0] * point.x + h[1] * point.y + h[2]) / w, y: (h[3] * point.x + h[4] * point.y + h[5]) / w)
    }
}
