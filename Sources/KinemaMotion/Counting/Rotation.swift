import Foundation
import KinemaCore

/// A turn in space.
struct Rotation {
    /// The matrix, row by row.
    let rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// The turn that brings one body nearest to another (Horn 1987, closed-form solution by unit quaternions).
    init(from one: BodySpace, to other: BodySpace) {
        let weight = pointwiseMin(one.trust, other.trust)
        func sum(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> Float { (a * b * weight).sum() }
        let (xx, xy, xz) = (sum(one.x, other.x), sum(one.x, other.y), sum(one.x, other.z))
        let (yx, yy, yz) = (sum(one.y, other.x), sum(one.y, other.y), sum(one.y, other.z))
        let (zx, zy, zz) = (sum(one.z, other.x), sum(one.z, other.y), sum(one.z, other.z))
        self.init(
            quaternion: Self.strongest([
                SIMD4(xx + yy + zz, yz - zy, zx - xz, xy - yx), SIMD4(yz - zy, xx - yy - zz, xy + yx, zx + xz),
                SIMD4(zx - xz, xy + yx, yy - xx - zz, yz + zy), SIMD4(xy - yx, zx + xz, yz + zy, zz - xx - yy),
            ]))
    }

    /// Real part first.
    private init(quaternion q: SIMD4<Float>) {
        let (w, x, y, z) = (q[0], q[1], q[2], q[3])
        rows = (
            SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            SIMD3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
        )
    }

    /// The unit eigenvector of a symmetric matrix's largest eigenvalue, by squaring the matrix again and again.
    private static func strongest(_ matrix: [SIMD4<Float>]) -> SIMD4<Float> {
        // Shifted so that the largest eigenvalue is also the largest in size.
        let shift = matrix.reduce(1e-6) { max($0, ($1 * $1).sum()) }.squareRoot() * 2
        var power = matrix.indices.map { row in
            var line = matrix[row]
            line[row] += shift
            return line
        }
        for _ in 0..<12 {
            let scale = 1 / power.reduce(Float.leastNormalMagnitude) { max($0, $1.max(), -$1.min()) }
            let now = power.map { $0 * scale }
            power = now.map { line in now.indices.reduce(SIMD4()) { $0 + now[$1] * line[$1] } }
        }
        let best = power.max { ($0 * $0).sum() < ($1 * $1).sum() } ?? SIMD4(1, 0, 0, 0)
        let length = (best * best).sum().squareRoot()
        return length > 0 ? best / length : SIMD4(1, 0, 0, 0)
    }
}
