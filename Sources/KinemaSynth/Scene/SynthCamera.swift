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

/// An exact frame rate: one frame lasts `ticksPerFrame` ticks of 1/`timescale` s.
package struct FrameRate: Hashable, Sendable, Codable {
    package let ticksPerFrame, timescale: Int

    package init(ticksPerFrame: Int = 1, timescale: Int) {
        precondition(ticksPerFrame > 0 && timescale > 0, "a frame rate must be positive")
        (self.ticksPerFrame, self.timescale) = (ticksPerFrame, timescale)
    }

    package static let thirty = FrameRate(timescale: 30)

    package var perSecond: Double { Double(timescale) / Double(ticksPerFrame) }

    /// The time of a frame, in seconds from the first one.
    package func seconds(atFrame frame: Int) -> Double { Double(frame * ticksPerFrame) / Double(timescale) }
}
