import KinemaMedia

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

    /// The displayed place of a reduced stored pixel, in pixels from the lower left corner.
    func displayed(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        // The pixel's centre in the stored frame.
        let stored = (pixel + 0.5) * factor - 0.5 - SIMD2(Double(map.x0), Double(map.y0))
        // The inverse of the map's rotation is its transpose.
        let column = Double(map.xx) * stored.x + Double(map.yx) * stored.y
        let row = Double(map.xy) * stored.x + Double(map.yy) * stored.y
        return SIMD2(column + 0.5, height - row - 0.5)
    }

    /// The reduced stored pixel at a displayed place.
    func pixel(_ place: SIMD2<Double>) -> SIMD2<Double> {
        (map.stored(SIMD2(place.x - 0.5, height - place.y - 0.5)) + 0.5) / factor - 0.5
    }
}
