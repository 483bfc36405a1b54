/// A camera in the world: where it stands, where it looks, and how wide it sees.
package struct SynthCamera: Sendable {
    /// From where a person facing the front is seen.
    package enum View: String, CaseIterable, Codable, Sendable {
        /// From the front.
        case front
        /// From the person's right.
        case side
        /// From the person's left.
        case sideLeft
        /// From the front and half to the side.
        case threeQuarter
        /// From the front and above.
        case high
        /// From the front and below.
        case low
        /// From behind.
        case back

        /// The direction from the person to the camera: radians about y from the front, radians above level.
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

    /// Where the camera stands, metres.
    package var position: Vector
    /// The point in the middle of the picture, metres.
    package var target: Vector
    /// The angle the picture's height spans, radians.
    package var fieldOfView: Double
    /// How far the hand that holds the camera trembles, as a share of the picture's height.
    package var shake: Double

    /// Makes a camera; the angle is in radians, the shake a share of the picture's height.
    package init(position: Vector, target: Vector, fieldOfView: Double = degrees(42), shake: Double = 0) {
        self.position = position
        self.target = target
        self.fieldOfView = fieldOfView
        self.shake = shake
    }

    /// The direction the camera looks, and the picture's right and up in the world.
    var axes: (right: Vector, up: Vector, forward: Vector) {
        let forward = (target - position).unit
        let right = forward.cross(.up).unit
        return (right, right.cross(forward), forward)
    }
}

/// A camera with a picture's size: turns points in the world into points in the picture.
struct Projection: Sendable {
    let width: Int
    let height: Int
    let position: Vector
    let right: Vector
    let up: Vector
    let forward: Vector
    /// Pixels for a tangent of one.
    let focal: Double
    /// The picture's point on the camera's axis, pixels from the upper left.
    var centerX: Double
    var centerY: Double

    init(_ camera: SynthCamera, width: Int, height: Int, shiftX: Int = 0, shiftY: Int = 0) {
        self.width = width
        self.height = height
        position = camera.position
        (right, up, forward) = camera.axes
        focal = Double(height) / 2 / tangent(camera.fieldOfView / 2)
        centerX = Double(width) / 2 + Double(shiftX)
        centerY = Double(height) / 2 + Double(shiftY)
    }

    /// A point as the camera sees it: x right, y up, z away from it, metres.
    func seen(_ point: Vector) -> Vector {
        let way = point - position
        return Vector(way.dot(right), way.dot(up), way.dot(forward))
    }

    /// The depth at which the floor shows along rays of slope `v`; without end above the horizon.
    ///
    /// The camera never rolls, so a row of the picture sees the floor at one depth.
    func floorDepth(_ v: Double) -> Double {
        let fall = forward.y + up.y * v
        return fall < -1e-6 ? -position.y / fall : .infinity
    }

    /// Normalised picture coordinates with the origin at the lower left; nil behind the camera.
    func normalized(_ point: Vector) -> (x: Double, y: Double)? {
        let way = seen(point)
        guard way.z > 0.05 else { return nil }
        let x = centerX + focal * way.x / way.z
        let y = centerY - focal * way.y / way.z
        return (x / Double(width), 1 - y / Double(height))
    }
}

extension SynthCamera {
    /// The camera from which everything in `points` fills the picture up to a margin.
    ///
    /// `looseness` 1 is as near as can be, 1.5 half as far again; a camera never sinks into the floor.
    static func framing(
        _ points: [Vector], azimuth: Double, elevation: Double, looseness: Double = 1, margin: Double = 0.05,
        fieldOfView: Double = degrees(42), width: Int, height: Int, shake: Double = 0
    ) -> SynthCamera {
        let low = points.reduce(points.first ?? .zero) { Vector(min($0.x, $1.x), min($0.y, $1.y), min($0.z, $1.z)) }
        let high = points.reduce(points.first ?? .zero) { Vector(max($0.x, $1.x), max($0.y, $1.y), max($0.z, $1.z)) }
        let middle = (low + high) / 2
        let out = Vector(
            sine(azimuth) * cosine(elevation), sine(elevation), cosine(azimuth) * cosine(elevation))
        func camera(_ distance: Double) -> SynthCamera {
            var place = middle + out * distance
            place.y = max(place.y, 0.15)
            return SynthCamera(position: place, target: middle, fieldOfView: fieldOfView, shake: shake)
        }
        var (near, far) = (0.5, 40.0)
        for _ in 0..<24 {
            let distance = (near + far) / 2
            let projection = Projection(camera(distance), width: width, height: height)
            let fits = points.allSatisfy { point in
                guard let spot = projection.normalized(point) else { return false }
                let clear = margin...1 - margin
                return clear.contains(spot.x) && clear.contains(spot.y)
            }
            if fits { far = distance } else { near = distance }
        }
        return camera(far * looseness)
    }
}
