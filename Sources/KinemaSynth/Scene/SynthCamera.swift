/// A camera in the world: position, direction and field of view.
package struct SynthCamera: Sendable {
    /// The direction from which a person who faces the front is filmed.
    package enum View: String, CaseIterable, Codable, Sendable {
        case front
        case side
        case sideLeft
        /// From the front, half to the side.
        case threeQuarter
        /// From the front and above.
        case high
        /// From the front and below.
        case low
        case back

        /// The direction from the person to the camera: azimuth from the front and elevation, in radians.
        var direction: (azimuth: Double, elevation: Double) {
            switch self {
            case .front: (0, degrees(3))
            case .side: (degrees(-90), degrees(4))
            case .sideLeft: (degrees(90), degrees(4))
            case .threeQuarter: (degrees(-38), degrees(6))
            case .high: (degrees(12), degrees(24))
            case .low: (degrees(-10), degrees(-7))
            case .back: (degrees(178), degrees(5))
            }
        }
    }

    /// The position, in metres.
    package var position: Vector
    /// The point in the centre of the picture, in metres.
    package var target: Vector
    /// The vertical field of view, in radians.
    package var fieldOfView = degrees(42)
    /// The amplitude of hand shake, as a share of the picture's height.
    package var shake = 0.0
    /// The camera's rotation about its line of sight, in radians; a positive angle lowers the right of the camera, so
    /// that the floor rises to the right of the picture.
    package var roll = 0.0

    /// The viewing direction, and the picture's right and up directions in the world.
    var axes: (right: Vector, up: Vector, forward: Vector) {
        let forward = (target - position).unit
        let level = forward.cross(.up).unit
        guard roll != 0 else { return (level, level.cross(forward), forward) }
        let right = level * cosine(roll) - level.cross(forward) * sine(roll)
        return (right, right.cross(forward), forward)
    }
}

extension SynthCamera {
    /// Places a camera above the floor so that all points fill the picture; `distanceFactor` 1 is the closest.
    static func framing(
        _ points: [Vector], azimuth: Double, elevation: Double, distanceFactor: Double = 1, margin: Double = 0.05,
        fieldOfView: Double = degrees(42), width: Int, height: Int, shake: Double = 0
    ) -> SynthCamera {
        let low = points.reduce(points.first ?? .zero) { Vector(min($0.x, $1.x), min($0.y, $1.y), min($0.z, $1.z)) }
        let high = points.reduce(points.first ?? .zero) { Vector(max($0.x, $1.x), max($0.y, $1.y), max($0.z, $1.z)) }
        let centre = (low + high) / 2
        let direction = Vector(
            sine(azimuth) * cosine(elevation), sine(elevation), cosine(azimuth) * cosine(elevation))
        func camera(_ distance: Double) -> SynthCamera {
            var position = centre + direction * distance
            position.y = max(position.y, 0.15)
            return SynthCamera(position: position, target: centre, fieldOfView: fieldOfView, shake: shake)
        }
        var (near, far) = (0.5, 40.0)
        for _ in 0..<24 {
            let distance = (near + far) / 2
            let projection = Projection(camera(distance), width: width, height: height)
            let fits = points.allSatisfy { point in
                guard let image = projection.normalized(point) else { return false }
                let inside = margin...1 - margin
                return inside.contains(image.x) && inside.contains(image.y)
            }
            if fits { far = distance } else { near = distance }
        }
        return camera(far * distanceFactor)
    }
}
