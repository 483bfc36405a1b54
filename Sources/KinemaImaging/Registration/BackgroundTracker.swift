import Foundation
package import KinemaCore
package import KinemaMedia

/// Measures how the camera moves: the position of the background relative to the first picture. Points of steep
/// gradient outside people's boxes are tracked from a key frame by the method of Lucas and Kanade ("An iterative image
/// registration technique", 1981) with a similarity. A key frame is replaced only when too little of it is in view.
package struct BackgroundTracker: Sendable {
    private var key: KeyPicture?
    /// From the first picture to the key frame.
    private var base = SimilarityTransform.identity
    private var lastTime = -TimeInterval.infinity
    private var last: SimilarityTransform?
    private var shot: Int?

    /// The shortest time between two measurements, seconds: a hand sways at up to 3 Hz.
    private static let interval = 0.06
    /// The longest side of the reduced picture in pixels: a shift of 0.02 pixels is detected, 0.0001 of the picture.
    private static let side = 240

    package init() {}

    /// The newest measurement of the background's motion since the first picture; nil while it is unknown.
    package mutating func update(_ frame: VideoFrame, people: [Pose]) -> SimilarityTransform? {
        guard frame.time < lastTime || frame.time - lastTime >= Self.interval - 1e-6 else { return last }
        lastTime = frame.time
        let factor = max(1, (max(frame.width, frame.height) + Self.side - 1) / Self.side)
        let view = ReducedView(frame, factor: factor)
        let boxes = people.compactMap { view.box(of: $0) }
        let isNewShot = people.first.map { $0.shot != shot } ?? false
        if isNewShot { shot = people.first?.shot }
        guard !isNewShot, let known = key, let found = known.motion(to: view.picture, without: boxes) else {
            // After a cut or without features, later pictures are measured from here.
            base = last ?? base
            last = nil
            key = KeyPicture(view.picture, without: boxes)
            return nil
        }
        let motion = base.followed(by: view.displayed(found.transform))
        if !found.isCentral {
            base = motion
            key = KeyPicture(view.picture, without: boxes)
        } else {
            key?.remember(found)
        }
        last = motion
        return motion
    }
}

/// A frame reduced for registration; displayed points are in picture heights, origin at the lower left.
private struct ReducedView {
    let picture: PlanePicture
    private let map: ReducedMap

    init(_ frame: VideoFrame, factor: Int) {
        picture = PlanePicture(frame, .luma, factor: factor)
        map = ReducedMap(frame, factor: factor)
    }

    func displayed(_ motion: SimilarityTransform) -> SimilarityTransform {
        let (one, other) = (SIMD2<Double>(0, 0), SIMD2<Double>(1, 0))
        func moved(_ place: SIMD2<Double>) -> SIMD2<Double> {
            map.displayed(motion.applied(to: map.pixel(place * map.height))) / map.height
        }
        return SimilarityTransform(one, other, to: moved(one), moved(other))
    }

    /// The pixels of a person's box with a margin of a tenth of its size; nil without a person.
    func box(of pose: Pose) -> PixelBox? {
        guard let box = pose.boundingBox(confidenceThreshold: 0) else { return nil }
        let ratio = map.width / map.height
        func pixel(_ x: Double, _ y: Double) -> SIMD2<Double> { map.pixel(SIMD2(x * ratio, y) * map.height) }
        let one = pixel(box.minX, box.minY), other = pixel(box.maxX, box.maxY)
        let margin = 0.1 * max(abs(other.x - one.x), abs(other.y - one.y)) + 1
        return PixelBox(low: pointwiseMin(one, other) - margin, high: pointwiseMax(one, other) + margin)
    }
}

struct PixelBox: Sendable {
    let low: SIMD2<Double>, high: SIMD2<Double>

    func contains(_ point: SIMD2<Double>) -> Bool { all(point .>= low) && all(point .<= high) }
}

struct ReducedMap: Sendable {
    /// The displayed size in pixels.
    let width: Double, height: Double
    /// The number of stored pixels that a reduced one covers in each direction.
    let factor: Double
    private let map: PixelMap

    init(_ frame: VideoFrame, factor: Int) {
        (width, height, self.factor) = (Double(frame.width), Double(frame.height), Double(factor))
        map = frame.withPlanes { $0.map }
    }

    /// The displayed position of a reduced stored pixel, in pixels from the lower left corner.
    func displayed(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        // The pixel's centre in the stored frame.
        let reduced: SIMD2<Double> = (pixel + 0.5) * factor - 0.5
        let stored = reduced - SIMD2(Double(map.x0), Double(map.y0))
        // The inverse of the map's rotation is its transpose.
        let column = Double(map.xx) * stored.x + Double(map.yx) * stored.y
        let row = Double(map.xy) * stored.x + Double(map.yy) * stored.y
        return SIMD2(column + 0.5, height - row - 0.5)
    }

    /// The reduced stored pixel at a displayed position.
    func pixel(_ place: SIMD2<Double>) -> SIMD2<Double> {
        (map.stored(SIMD2(place.x - 0.5, height - place.y - 0.5)) + 0.5) / factor - 0.5
    }
}
