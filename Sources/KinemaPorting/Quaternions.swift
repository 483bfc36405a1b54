import Foundation
public import KinemaCore

// The rarer names of simd: mixing, 3x3 matrices, quaternions.
#if !canImport(simd)
    /// Four numbers.
    public typealias simd_double4 = SIMD4<Double>
    /// A 4x4 matrix.
    public typealias matrix_float4x4 = simd_float4x4
    /// A 3x3 matrix.
    public typealias matrix_float3x3 = simd_float3x3
    /// A 3x3 matrix.
    public typealias float3x3 = simd_float3x3

    /// The point `t` of the way from one vector to another, 0...1, for each number.
    public func simd_mix<V: SIMD>(_ x: V, _ y: V, _ t: V) -> V where V.Scalar: FloatingPoint { x + (y - x) * t }

    /// The number `t` of the way from one to another, 0...1.
    public func simd_mix<Scalar: FloatingPoint>(_ x: Scalar, _ y: Scalar, _ t: Scalar) -> Scalar { x + (y - x) * t }

    /// The point `t` of the way from one vector to another, 0...1.
    public func mix<V: SIMD>(_ x: V, _ y: V, t: V.Scalar) -> V where V.Scalar: FloatingPoint { x + (y - x) * t }

    /// The smaller and the larger of each two numbers.
    public func simd_min<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: Comparable { pointwiseMin(x, y) }

    /// The larger of each two numbers.
    public func simd_max<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: Comparable { pointwiseMax(x, y) }

    /// Two numbers.
    public func simd_make_float2(_ x: Float, _ y: Float) -> simd_float2 { SIMD2(x, y) }

    /// A 3x3 matrix; a transform of the plane has its translation in the last column.
    public struct simd_float3x3: Hashable, Sendable, Codable {
        private var values: [SIMD3<Float>]

        /// Makes a matrix from its columns.
        public init(_ column0: simd_float3, _ column1: simd_float3, _ column2: simd_float3) {
            values = [column0, column1, column2]
        }

        /// Makes a matrix from its columns.
        public init(columns: (simd_float3, simd_float3, simd_float3)) { self.init(columns.0, columns.1, columns.2) }

        /// Makes a matrix from its rows.
        public init(rows: [simd_float3]) {
            precondition(rows.count == 3, "a matrix has three rows")
            self = simd_float3x3(rows[0], rows[1], rows[2]).transpose
        }

        /// Makes a matrix with this diagonal and zeros elsewhere.
        public init(diagonal: simd_float3) {
            self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z))
        }

        /// The rotation of a quaternion.
        public init(_ quaternion: simd_quatf) {
            self.init(
                quaternion.act(SIMD3(1, 0, 0)), quaternion.act(SIMD3(0, 1, 0)), quaternion.act(SIMD3(0, 0, 1)))
        }

        /// The three columns.
        public var columns: (simd_float3, simd_float3, simd_float3) {
            get { (values[0], values[1], values[2]) }
            set { values = [newValue.0, newValue.1, newValue.2] }
        }

        /// A column.
        public subscript(column: Int) -> simd_float3 {
            get { values[column] }
            set { values[column] = newValue }
        }

        /// A number by its column and row.
        public subscript(column: Int, row: Int) -> Float {
            get { values[column][row] }
            set { values[column][row] = newValue }
        }

        /// The rows as columns.
        public var transpose: simd_float3x3 {
            func row(_ index: Int) -> simd_float3 { SIMD3(values[0][index], values[1][index], values[2][index]) }
            return simd_float3x3(row(0), row(1), row(2))
        }

        /// The volume of the unit cube's image.
        public var determinant: Float { simd_dot(values[0], simd_cross(values[1], values[2])) }

        /// The inverse; numbers are not finite if there is none.
        public var inverse: simd_float3x3 {
            let (a, b, c) = columns
            let rows = simd_float3x3(simd_cross(b, c), simd_cross(c, a), simd_cross(a, b)).transpose
            return simd_float3x3(rows[0] / determinant, rows[1] / determinant, rows[2] / determinant)
        }

        /// The transformed vector.
        public static func * (matrix: simd_float3x3, vector: simd_float3) -> simd_float3 {
            let front = matrix.values[0] * vector.x + matrix.values[1] * vector.y
            return front + matrix.values[2] * vector.z
        }

        /// The transform by `right`, then by `left`.
        public static func * (left: simd_float3x3, right: simd_float3x3) -> simd_float3x3 {
            simd_float3x3(left * right.values[0], left * right.values[1], left * right.values[2])
        }
    }

    /// The matrix that changes nothing.
    public let matrix_identity_float3x3 = simd_float3x3(diagonal: SIMD3(repeating: 1))

    /// The product of two matrices: the second transform, then the first.
    public func simd_mul(_ left: simd_float3x3, _ right: simd_float3x3) -> simd_float3x3 { left * right }

    /// A vector transformed by a matrix.
    public func simd_mul(_ matrix: simd_float3x3, _ vector: simd_float3) -> simd_float3 { matrix * vector }

    /// The product of two matrices: the second transform, then the first.
    public func matrix_multiply(_ left: simd_float4x4, _ right: simd_float4x4) -> simd_float4x4 { left * right }

    /// A rotation of space as a unit quaternion.
    public struct simd_quatf: Hashable, Sendable, Codable {
        /// The imaginary part and the real part.
        public var vector: simd_float4

        /// Makes a quaternion from its imaginary part and, last, its real part.
        public init(vector: simd_float4) { self.vector = vector }

        /// Makes a quaternion from its parts.
        public init(ix: Float, iy: Float, iz: Float, r: Float) { vector = SIMD4(ix, iy, iz, r) }

        /// Makes a quaternion from its parts.
        public init(real: Float, imag: simd_float3) { vector = SIMD4(imag, real) }

        /// A rotation in radians about an axis of length 1.
        public init(angle: Float, axis: simd_float3) {
            self.init(real: cos(angle / 2), imag: axis * sin(angle / 2))
        }

        /// The shortest rotation from one direction to another, both of length 1.
        public init(from: simd_float3, to: simd_float3) {
            let across = simd_cross(from, to)
            let real = 1 + simd_dot(from, to)
            if real > 1e-6 {
                self = simd_quatf(real: real, imag: across).normalized
            } else {
                // Half a turn, about any axis at right angles.
                let other: simd_float3 = abs(from.x) < 0.9 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
                self.init(real: 0, imag: simd_normalize(simd_cross(from, other)))
            }
        }

        /// The real part.
        public var real: Float { vector.w }
        /// The imaginary part.
        public var imag: simd_float3 { SIMD3(vector.x, vector.y, vector.z) }
        /// The length, 1 of a rotation.
        public var length: Float { simd_length(vector) }
        /// The same direction with length 1.
        public var normalized: simd_quatf { simd_quatf(vector: simd_normalize(vector)) }
        /// The quaternion with the opposite imaginary part.
        public var conjugate: simd_quatf { simd_quatf(real: real, imag: -imag) }
        /// The rotation back.
        public var inverse: simd_quatf { simd_quatf(vector: conjugate.vector / simd_length_squared(vector)) }
        /// The angle of the rotation in radians, 0...2π.
        public var angle: Float { 2 * atan2(simd_length(imag), real) }
        /// The axis of the rotation; not a number if it does not turn.
        public var axis: simd_float3 { simd_normalize(imag) }

        /// The turned vector.
        public func act(_ vector: simd_float3) -> simd_float3 {
            let turn = 2 * simd_cross(imag, vector)
            return vector + turn * real + simd_cross(imag, turn)
        }

        /// The rotation by `right`, then by `left`.
        public static func * (left: simd_quatf, right: simd_quatf) -> simd_quatf {
            let imag = left.real * right.imag + right.real * left.imag + simd_cross(left.imag, right.imag)
            return simd_quatf(real: left.real * right.real - simd_dot(left.imag, right.imag), imag: imag)
        }
    }

    /// The turned vector.
    public func simd_act(_ quaternion: simd_quatf, _ vector: simd_float3) -> simd_float3 { quaternion.act(vector) }

    /// The rotation `t` of the way from one to another, 0...1, along the shorter arc.
    public func simd_slerp(_ from: simd_quatf, _ to: simd_quatf, _ t: Float) -> simd_quatf {
        let cosine = simd_dot(from.vector, to.vector)
        let near = cosine < 0 ? -to.vector : to.vector
        let angle = acos(min(1, abs(cosine)))
        guard angle > 1e-4 else {
            return simd_quatf(vector: simd_mix(from.vector, near, SIMD4(repeating: t))).normalized
        }
        let (first, second) = (sin((1 - t) * angle) / sin(angle), sin(t * angle) / sin(angle))
        return simd_quatf(vector: from.vector * first + near * second)
    }

    extension simd_float4x4 {
        /// The rotation of a quaternion.
        public init(_ quaternion: simd_quatf) {
            let turn = simd_float3x3(quaternion)
            self.init(SIMD4(turn[0], 0), SIMD4(turn[1], 0), SIMD4(turn[2], 0), SIMD4(0, 0, 0, 1))
        }
    }
#endif
