import KinemaCore

/// The lights and the shading of surfaces, in camera space.
struct Lighting {
    // The directions to the main light and to the sky.
    private let kx: Float, ky: Float, kz: Float
    private let sx: Float, sy: Float, sz: Float

    /// The direction to the main light in the world: from above, in front and slightly to the side.
    static let key = Vector(-0.45, 0.8, 0.55).unit

    init(_ projection: Projection) {
        // The room has several lamps, so part of the light always comes from the camera's side.
        let light = (Lighting.key * 0.65 + projection.forward * -0.55 + projection.right * -0.3).unit
        (kx, ky, kz) = (
            Float(light.dot(projection.right)), Float(light.dot(projection.up)), Float(light.dot(projection.forward))
        )
        let sky = Vector.up
        (sx, sy, sz) = (
            Float(sky.dot(projection.right)), Float(sky.dot(projection.up)), Float(sky.dot(projection.forward))
        )
    }

    /// The colour at the point where a ray hits a solid, with channels 0...255.
    @inline(__always)
    func shade(_ solid: ProjectedSolid, _ u: Float, _ v: Float, _ depth: Float, _ along: Float) -> (Float, Float, Float)
    {
        let inverse = 1 / (solid.radius - along * solid.shrink)
        let nx = (u * depth - solid.ax - along * solid.dx) * inverse
        let ny = (v * depth - solid.ay - along * solid.dy) * inverse
        let nz = (depth - solid.az - along * solid.dz) * inverse
        let facing = nx * kx + ny * ky + nz * kz
        let sky = nx * sx + ny * sy + nz * sz
        // Wrap lighting, as from large lamps and on skin.
        let direct = max(0, (facing + 0.25) * 0.8)
        var light = 0.42 + 0.16 * sky + 0.52 * direct
        // Surfaces at a slant darken slightly, which emphasises the outline.
        light *= 0.82 + 0.18 * min(1, -nz * 1.6)
        let mirror = max(0, facing)
        let shine = solid.gloss * mirror * mirror * mirror * mirror * mirror * mirror * 255
        return (
            min(255, solid.red * light * 255 + shine), min(255, solid.green * light * 255 + shine),
            min(255, solid.blue * light * 255 + shine)
        )
    }
}

struct SensorNoise {
    private let deviation: Double
    /// The factor for every channel.
    private let brightness: Double
    private let table: [Int16]

    init(deviation: Double, brightness: Double) {
        (self.deviation, self.brightness) = (deviation, brightness)
        // Each row reads a fixed table from a random position: drawing a normal number for every pixel is too slow.
        var random = RandomSource(seed: 0x6772_6169_6E)
        table = deviation > 0 ? (0..<4096).map { _ in Int16((random.normal() * deviation).rounded()) } : []
    }

    func apply(to bitmap: inout Bitmap, seed: UInt64) {
        let gain = Int32((brightness * 256).rounded())
        guard deviation > 0 || gain != 256 else { return }
        var random = RandomSource(seed: seed)
        let mask = 2047
        let (width, height) = (bitmap.width, bitmap.height)
        let table = table.isEmpty ? [Int16](repeating: 0, count: 4096) : table
        var pixels = bitmap.pixels.mutableSpan
        for y in 0..<height {
            let bits = random.next()
            let start = Int(bits & 2047)
            let step = Int(bits >> 40 & 511) * 2 + 1
            var index = start
            var pixel = y * width * 4
            for _ in 0..<width {
                // Mostly the same in all channels, as after a camera's own denoising.
                let grain = Int32(table[index])
                let tint = Int32(table[index + 2048]) / 2
                pixels[pixel] = SensorNoise.exposed(pixels[pixel], gain, grain + tint)
                pixels[pixel + 1] = SensorNoise.exposed(pixels[pixel + 1], gain, grain)
                pixels[pixel + 2] = SensorNoise.exposed(pixels[pixel + 2], gain, grain - tint)
                pixel += 4
                index = (index + step) & mask
            }
        }
    }

    @inline(__always)
    private static func exposed(_ value: UInt8, _ gain: Int32, _ grain: Int32) -> UInt8 {
        UInt8(min(max(((Int32(value) * gain) >> 8) + grain, 0), 255))
    }
}
