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
