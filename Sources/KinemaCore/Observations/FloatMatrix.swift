// The names of simd, which exists only on Apple's systems.
#if !canImport(simd)
    /// Two numbers.
    public typealias simd_float2 = SIMD2<Float>
    /// Three numbers.
    public typealias simd_float3 = SIMD3<Float>
    /// Four numbers.
    public typealias simd_float4 = SIMD4<Float>
    /// Two numbers.
    public typealias simd_double2 = SIMD2<Double>
    /// Three numbers.
    public typealias simd_double3 = SIMD3<Double>

    /// A 4x4 matrix; a transform of space has its translation in the last column.
    public struct simd_float4x4: Hashable, Sendable, Codable {
        private var values: [SIMD4<Float>]

        /// Makes a matrix from its columns.
        public init(_ column0: simd_float4, _ column1: simd_float4, _ column2: simd_float4, _ column3: simd_float4) {
            values = [column0, column1, column2, column3]
        }

        /// Makes a matrix from its columns.
        public init(columns: (simd_float4, simd_float4, simd_float4, simd_float4)) {
            self.init(columns.0, columns.1, columns.2, columns.3)
        }

        /// Makes a matrix with this diagonal and zeros elsewhere.
        public init(diagonal: simd_float4) {
            values = (0..<4).map { index in
                var column = SIMD4<Float>.zero
                column[index] = diagonal[index]
                return column
            }
        }

        /// A transform that moves by a vector.
        package init(translation: SIMD3<Float>) {
            self.init(diagonal: SIMD4(repeating: 1))
            values[3] = SIMD4(translation, 1)
        }

        /// The four columns.
        public var columns: (simd_float4, simd_float4, simd_float4, simd_float4) {
            get { (values[0], values[1], values[2], values[3]) }
            set { values = [newValue.0, newValue.1, newValue.2, newValue.3] }
        }

        /// A column.
        public subscript(column: Int) -> simd_float4 {
            get { values[column] }
            set { values[column] = newValue }
        }

        /// The vector by which a transform moves.
        package var translation: SIMD3<Float> { SIMD3(values[3].x, values[3].y, values[3].z) }

        /// The rows as columns.
        public var transpose: simd_float4x4 {
            func row(_ index: Int) -> SIMD4<Float> {
                SIMD4(values[0][index], values[1][index], values[2][index], values[3][index])
            }
            return simd_float4x4(row(0), row(1), row(2), row(3))
        }

        /// The inverse; numbers are not finite if there is none.
        public var inverse: simd_float4x4 {
            // Gauss-Jordan elimination of the columns, with the largest pivot.
            var (left, right) = (values, simd_float4x4(diagonal: SIMD4(repeating: 1)).values)
            for row in 0..<4 {
                let pivot = (row..<4).max { abs(left[$0][row]) < abs(left[$1][row]) } ?? row
                left.swapAt(row, pivot)
                right.swapAt(row, pivot)
                let scale = 1 / left[row][row]
                left[row] *= scale
                right[row] *= scale
                for column in 0..<4 where column != row {
                    let share = left[column][row]
                    left[column] -= left[row] * share
                    right[column] -= right[row] * share
                }
            }
            return simd_float4x4(right[0], right[1], right[2], right[3])
        }

        /// The transformed vector.
        public static func * (matrix: simd_float4x4, vector: simd_float4) -> simd_float4 {
            let (a, b, c, d) = matrix.columns
            let front = a * vector.x + b * vector.y
            return front + c * vector.z + d * vector.w
        }

        /// The transform by `right`, then by `left`.
        public static func * (left: simd_float4x4, right: simd_float4x4) -> simd_float4x4 {
            let (a, b, c, d) = right.columns
            return simd_float4x4(left * a, left * b, left * c, left * d)
        }
    }

    /// A 4x4 matrix.
    public typealias float4x4 = simd_float4x4

    /// Three numbers.
    public func simd_make_float3(_ x: Float, _ y: Float, _ z: Float) -> simd_float3 { SIMD3(x, y, z) }

    /// The first three of four numbers.
    public func simd_make_float3(_ vector: simd_float4) -> simd_float3 { SIMD3(vector.x, vector.y, vector.z) }

    /// Four numbers.
    public func simd_make_float4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> simd_float4 { SIMD4(x, y, z, w) }

    /// Three numbers and a fourth.
    public func simd_make_float4(_ vector: simd_float3, _ w: Float) -> simd_float4 { SIMD4(vector, w) }

    /// The inverse of a matrix.
    public func simd_inverse(_ matrix: simd_float4x4) -> simd_float4x4 { matrix.inverse }

    /// The matrix that changes nothing.
    public let matrix_identity_float4x4 = simd_float4x4(diagonal: SIMD4(repeating: 1))

    /// The sum of the products of two vectors' numbers.
    public func simd_dot<V: SIMD>(_ one: V, _ other: V) -> V.Scalar where V.Scalar: FloatingPoint {
        (one * other).sum()
    }

    /// The square of a vector's length.
    public func simd_length_squared<V: SIMD>(_ vector: V) -> V.Scalar where V.Scalar: FloatingPoint {
        simd_dot(vector, vector)
    }

    /// The square of the distance of two points.
    public func simd_distance_squared<V: SIMD>(_ one: V, _ other: V) -> V.Scalar where V.Scalar: FloatingPoint {
        simd_length_squared(one - other)
    }

    /// The number, or the nearest of the limits.
    public func simd_clamp<Scalar: FloatingPoint>(_ number: Scalar, _ low: Scalar, _ high: Scalar) -> Scalar {
        max(low, min(number, high))
    }

    /// The length of a vector.
    public func simd_length<V: SIMD>(_ vector: V) -> V.Scalar where V.Scalar: FloatingPoint {
        simd_dot(vector, vector).squareRoot()
    }

    /// The distance of two points.
    public func simd_distance<V: SIMD>(_ one: V, _ other: V) -> V.Scalar where V.Scalar: FloatingPoint {
        simd_length(one - other)
    }

    /// The vector of length 1 in the same direction.
    public func simd_normalize<V: SIMD>(_ vector: V) -> V where V.Scalar: FloatingPoint {
        vector / simd_length(vector)
    }

    /// The vector at right angles to two others.
    public func simd_cross<Scalar: FloatingPoint>(_ one: SIMD3<Scalar>, _ other: SIMD3<Scalar>) -> SIMD3<Scalar> {
        let turned = one * SIMD3(other.y, other.z, other.x) - SIMD3(one.y, one.z, one.x) * other
        return SIMD3(turned.y, turned.z, turned.x)
    }

    /// `simd_dot` under its shorter name.
    public func dot<V: SIMD>(_ one: V, _ other: V) -> V.Scalar where V.Scalar: FloatingPoint { simd_dot(one, other) }

    /// `simd_length` under its shorter name.
    public func length<V: SIMD>(_ vector: V) -> V.Scalar where V.Scalar: FloatingPoint { simd_length(vector) }

    /// `simd_distance` under its shorter name.
    public func distance<V: SIMD>(_ one: V, _ other: V) -> V.Scalar where V.Scalar: FloatingPoint {
        simd_distance(one, other)
    }

    /// `simd_normalize` under its shorter name.
    public func normalize<V: SIMD>(_ vector: V) -> V where V.Scalar: FloatingPoint { simd_normalize(vector) }

    /// `simd_cross` under its shorter name.
    public func cross<Scalar: FloatingPoint>(_ one: SIMD3<Scalar>, _ other: SIMD3<Scalar>) -> SIMD3<Scalar> {
        simd_cross(one, other)
    }

    /// The product of two matrices: the second transform, then the first.
    public func simd_mul(_ left: simd_float4x4, _ right: simd_float4x4) -> simd_float4x4 { left * right }

    /// A vector transformed by a matrix.
    public func simd_mul(_ matrix: simd_float4x4, _ vector: simd_float4) -> simd_float4 { matrix * vector }
#endif
