import Foundation

/// Non-linear least squares: the Levenberg-Marquardt algorithm with finite differences.
enum LeastSquares {
    struct Solution {
        var parameters: [Double]
        /// Half the sum of the squared residuals.
        var cost: Double
    }

    static func minimize(
        from start: [Double], iterations: Int = 60, _ residuals: ([Double]) -> [Double]
    ) -> Solution {
        var best = start
        var errors = residuals(best)
        var cost = half(errors)
        var damping = 1e-3
        for _ in 0..<iterations {
            let jacobian = jacobian(at: best, errors, residuals)
            var isBetter = false
            var gain = 0.0
            for _ in 0..<8 {
                guard let step = step(jacobian, errors, damping) else { return Solution(parameters: best, cost: cost) }
                let trial = zip(best, step).map { $0 - $1 }
                let trialErrors = residuals(trial)
                let trialCost = half(trialErrors)
                if trialCost.isFinite, trialCost < cost {
                    gain = cost - trialCost
                    (best, errors, cost) = (trial, trialErrors, trialCost)
                    damping = max(damping / 5, 1e-9)
                    isBetter = true
                    break
                }
                damping *= 6
            }
            if !isBetter || gain < 1e-9 * cost { break }
        }
        return Solution(parameters: best, cost: cost)
    }

    private static func half(_ errors: [Double]) -> Double { errors.reduce(0) { $0 + $1 * $1 } / 2 }

    /// The Jacobian by finite differences, one column per parameter.
    private static func jacobian(
        at point: [Double], _ errors: [Double], _ residuals: ([Double]) -> [Double]
    ) -> [[Double]] {
        point.indices.map { index in
            var moved = point
            let step = 1e-6 * (1 + abs(point[index]))
            moved[index] += step
            return zip(residuals(moved), errors).map { ($0 - $1) / step }
        }
    }

    private static func step(_ jacobian: [[Double]], _ errors: [Double], _ damping: Double) -> [Double]? {
        let count = jacobian.count
        var rows = jacobian.indices.map { row in
            jacobian.indices.map { column in zip(jacobian[row], jacobian[column]).reduce(0) { $0 + $1.0 * $1.1 } }
                + [zip(jacobian[row], errors).reduce(0) { $0 + $1.0 * $1.1 }]
        }
        for index in 0..<count { rows[index][index] += damping * rows[index][index] + 1e-12 }
        return solve(&rows)
    }

    /// Solves a linear system by Gaussian elimination; the last column is the right-hand side. Nil if it is singular.
    static func solve(_ rows: inout [[Double]]) -> [Double]? {
        let count = rows.count
        for pivot in 0..<count {
            guard let best = (pivot..<count).max(by: { abs(rows[$0][pivot]) < abs(rows[$1][pivot]) }),
                abs(rows[best][pivot]) > 1e-14, rows[best][pivot].isFinite
            else { return nil }
            rows.swapAt(pivot, best)
            for row in pivot + 1..<max(count, pivot + 1) {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                guard factor != 0 else { continue }
                for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        var solution = [Double](repeating: 0, count: count)
        for row in stride(from: count - 1, through: 0, by: -1) {
            var sum = rows[row][count]
            for column in row + 1..<max(count, row + 1) { sum -= rows[row][column] * solution[column] }
            solution[row] = sum / rows[row][row]
        }
        return solution
    }
}

struct BoardCorrespondences: Sendable {
    /// The pairs: metres along and across from the face's centre, and picture heights from the picture's centre.
    let pairs: [(board: CGPoint, image: CGPoint)]
    /// The board's length, in metres and as it appears in picture heights.
    let length: Double
    let imageLength: Double
    /// The centre of the face, in picture heights from the picture's centre.
    let centre: CGPoint
    /// The rough direction of the board's length away from the player: 0 to the right, pi to the left.
    let yaw: Double

    /// Identifies the corners by the hole near the far end; without a hole, the far end is away from the picture's
    /// centre.
    init?(_ observation: TossBoardObservation, aspectRatio: Double, rules: TossRules) {
        guard observation.corners.count == 4 else { return nil }
        let image = observation.corners.map { $0.centred(aspectRatio: aspectRatio) }
        let corners: [CGPoint] = Polyline.area(image) < 0 ? image.reversed() : image
        let hole = observation.hole?.centred(aspectRatio: aspectRatio)
        let face = rules.boardCorners
        let centre = Polyline.mean(corners)
        var best: (error: Double, corners: [CGPoint])?
        for shift in 0..<4 {
            let rotated = Array(corners[shift...] + corners[..<shift])
            guard let map = Homography(from: face, to: rotated) else { return nil }
            let error: Double
            if let hole {
                let projected = map(rules.holeCentre)
                error = hypot(projected.x - hole.x, projected.y - hole.y)
            } else {
                let far = (rotated[1].x + rotated[2].x) / 2 - centre.x
                error = -far * (centre.x < 0 ? -1 : 1)
            }
            if error < best?.error ?? .infinity { best = (error, rotated) }
        }
        guard let best else { return nil }
        var pairs = zip(face, best.corners).map { (board: $0, image: $1) }
        if let hole { pairs.append((rules.holeCentre, hole)) }
        (self.pairs, self.centre) = (pairs, centre)
        length = rules.boardLength
        let near = Polyline.mean([best.corners[0], best.corners[3]])
        let far = Polyline.mean([best.corners[1], best.corners[2]])
        imageLength = hypot(far.x - near.x, far.y - near.y)
        yaw = far.x >= near.x ? 0 : .pi
    }
}

extension CGPoint {
    /// A normalised point in picture heights from the centre of the picture.
    func centred(aspectRatio: Double) -> CGPoint { CGPoint(x: (x - 0.5) * aspectRatio, y: y - 0.5) }
}

extension TossRules {
    /// The corners of the board's face in order around it, in metres from its centre along and across.
    var boardCorners: [CGPoint] {
        let (l, w) = (boardLength / 2, boardWidth / 2)
        return [CGPoint(x: -l, y: -w), CGPoint(x: l, y: -w), CGPoint(x: l, y: w), CGPoint(x: -l, y: w)]
    }
    /// The centre of the hole on the face, likewise.
    var holeCentre: CGPoint { CGPoint(x: boardLength / 2 - holeInset, y: 0) }
}
