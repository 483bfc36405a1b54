/// A point or direction in metres: x to the picture's right, y up, z away from the camera, origin in the camera.
typealias FieldPoint = SIMD3<Double>

extension FieldPoint {
    func dot(_ other: FieldPoint) -> Double { x * other.x + y * other.y + z * other.z }
    var length: Double { dot(self).squareRoot() }
}
