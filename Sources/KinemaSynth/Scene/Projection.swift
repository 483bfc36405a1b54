/// The projection of a camera for a picture size: maps points of the world to the picture.
struct Projection: Sendable {
    let width, height: Int
    let position, right, up, forward: Vector
    /// The focal length, in pixels.
    let focal: Double
    /// The principal point, in pixels from the upper left.
    var centerX, centerY: Double

    init(_ camera: SynthCamera, width: Int, height: Int, shiftX: Int = 0, shiftY: Int = 0) {
        (self.width, self.height) = (width, height)
        position = camera.position
        (right, up, forward) = camera.axes
        focal = Double(height) / 2 / tangent(camera.fieldOfView / 2)
        centerX = Double(width) / 2 + Double(shiftX)
        centerY = Double(height) / 2 + Double(shiftY)
    }

    init(_ other: Projection, width: Int, height: Int, focal: Double) {
        (self.width, self.height, self.focal) = (width, height, focal)
        (position, right, up, forward) = (other.position, other.right, other.up, other.forward)
        (centerX, centerY) = (other.centerX, other.centerY)
    }

    /// A point in camera space, in metres: x right, y up, z away from the camera.
    func cameraSpace(_ point: Vector) -> Vector {
        let offset = point - position
        return Vector(offset.dot(right), offset.dot(up), offset.dot(forward))
    }

    /// Whether the camera does not roll, so that the floor is equally far along a row of the picture.
    var isLevel: Bool { right.y == 0 }

    /// The depth of the floor along rays of slopes `u` to the right and `v` up; infinite above the horizon.
    func floorDepth(_ u: Double, _ v: Double) -> Double {
        let fall = forward.y + up.y * v + right.y * u
        return fall < -1e-6 ? -position.y / fall : .infinity
    }

    /// The normalised picture coordinates of a point, origin at the lower left; nil behind the camera.
    func normalized(_ point: Vector) -> (x: Double, y: Double)? {
        let local = cameraSpace(point)
        guard local.z > 0.05 else { return nil }
        let x = centerX + focal * local.x / local.z
        let y = centerY - focal * local.y / local.z
        return (x / Double(width), 1 - y / Double(height))
    }
}
