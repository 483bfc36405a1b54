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

/// The soft shadow of solids on the floor, accumulated on a grid and applied to the picture.
struct FloorShadow {
    // 128 cells of 2.5 cm cover a fully stretched body.
    private static let cells = 128
    private static let cell = 0.025
    private let left: Double
    private let back: Double
    /// The share of light that reaches each cell, 0...1.
    private var light = [Float](repeating: 1, count: cells * cells)

    /// Accumulates the shadow of the solids around a point on the floor.
    init(of solids: [Solid], around center: Vector) {
        left = center.x - Double(FloorShadow.cells) * FloorShadow.cell / 2
        back = center.z - Double(FloorShadow.cells) * FloorShadow.cell / 2
        for solid in solids {
            let length = (solid.to - solid.from).length
            let steps = max(1, Int(length / 0.07))
            for step in 0...steps {
                let share = Double(step) / Double(steps)
                stamp(
                    mix(solid.from, solid.to, share), radius: mix(solid.fromRadius, solid.toRadius, share),
                    strength: min(1, 0.07 / max(length / Double(steps), 0.03)))
            }
        }
    }

    /// Adds the shadow of a sphere; it is softer and fainter the higher the sphere is.
    private mutating func stamp(_ center: Vector, radius: Double, strength: Double) {
        guard center.y > 0 else { return }
        // Slanted like the main light, but only slightly: most light in a room comes from the ceiling.
        let x = center.x - Lighting.key.x * 0.5 * center.y - left
        let z = center.z - Lighting.key.z * 0.5 * center.y - back
        let reach = radius + 0.05 + 0.22 * center.y
        let dark = Float(0.5 * strength * radius * radius / (reach * reach) * (1 + 0.6 / (0.2 + center.y)))
        let columns = range(x - reach, x + reach)
        for row in range(z - reach, z + reach) {
            for column in columns {
                let dx = (Double(column) + 0.5) * FloorShadow.cell - x
                let dz = (Double(row) + 0.5) * FloorShadow.cell - z
                let share = Float((dx * dx + dz * dz) / (reach * reach))
                if share < 1 { light[row * FloorShadow.cells + column] *= max(0, 1 - dark * (1 - share) * (1 - share)) }
            }
        }
    }

    private func range(_ low: Double, _ high: Double) -> Range<Int> {
        let first = Int(min(max(low / FloorShadow.cell, 0), Double(FloorShadow.cells)))
        let last = Int(min(max(high / FloorShadow.cell + 1, 0), Double(FloorShadow.cells)))
        return first..<max(first, last)
    }

    /// Darkens the floor of a picture.
    func draw(on bitmap: inout Bitmap, _ projection: Projection) {
        let size = Double(FloorShadow.cells) * FloorShadow.cell
        let corners = [(0.0, 0.0), (size, 0), (0, size), (size, size)].map {
            projection.normalized(Vector(left + $0.0, 0, back + $0.1))
        }
        // If a corner is behind the camera, the grid may appear anywhere.
        let visible = corners.compactMap { $0 }
        let coversAll = visible.count < 4
        let xs = coversAll ? [0, 1] : visible.map(\.x)
        let ys = coversAll ? [0, 1] : visible.map(\.y)
        let columns = pixels(xs, of: projection.width)
        let rows = pixels(ys.map { 1 - $0 }, of: projection.height)
        for y in rows {
            let v = (projection.centerY - Double(y) - 0.5) / projection.focal
            let side = projection.forward + projection.up * v
            let depth = projection.floorDepth(v)
            guard depth.isFinite else { continue }
            darken(
                row: y, columns: columns, start: projection.position + side * depth, depth: depth, &bitmap, projection)
        }
    }

    private func darken(
        row: Int, columns: Range<Int>, start: Vector, depth: Double, _ bitmap: inout Bitmap, _ projection: Projection
    ) {
        let scale = Float(1 / FloorShadow.cell)
        let step = depth / projection.focal
        let stepX = Float(projection.right.x * step) * scale
        let stepZ = Float(projection.right.z * step) * scale
        let first = Float(Double(columns.lowerBound) + 0.5 - projection.centerX)
        var x = Float(start.x - left) * scale + first * stepX - 0.5
        var z = Float(start.z - back) * scale + first * stepZ - 0.5
        var pixel = (row * bitmap.width + columns.lowerBound) * 4
        let limit = Float(FloorShadow.cells - 1)
        var pixels = bitmap.pixels.mutableSpan
        for _ in columns {
            if x >= 0, z >= 0, x < limit, z < limit {
                let brightness = interpolated(x, z)
                for channel in 0..<3 {
                    pixels[pixel + channel] = UInt8(Float(pixels[pixel + channel]) * brightness)
                }
            }
            x += stepX
            z += stepZ
            pixel += 4
        }
    }

    /// The light at a point, interpolated between the centres of four cells.
    @inline(__always)
    private func interpolated(_ x: Float, _ z: Float) -> Float {
        let (column, row) = (Int(x), Int(z))
        let (dx, dz) = (x - Float(column), z - Float(row))
        let index = row * FloorShadow.cells + column
        let near = light[index] * (1 - dx) + light[index + 1] * dx
        let far = light[index + FloorShadow.cells] * (1 - dx) + light[index + FloorShadow.cells + 1] * dx
        return 0.25 + 0.75 * (near * (1 - dz) + far * dz)
    }

    private func pixels(_ shares: [Double], of length: Int) -> Range<Int> {
        let low = min(max(shares.min() ?? 0, 0), 1) * Double(length)
        let high = min(max(shares.max() ?? 1, 0), 1) * Double(length)
        return Int(low)..<max(Int(low), Int(high.rounded(.up)))
    }
}

/// The noise and exposure of a camera's sensor.
struct SensorNoise {
    /// The standard deviation, in steps of 255.
    var deviation: Double
    /// The factor for every channel.
    var brightness: Double
    private let table: [Int16]

    init(deviation: Double, brightness: Double) {
        self.deviation = deviation
        self.brightness = brightness
        // Each row reads a fixed table from a random position: normal numbers are too expensive to draw for every
        // pixel.
        var random = RandomSource(seed: 0x6772_6169_6E)
        let steps = deviation
        table = deviation > 0 ? (0..<4096).map { _ in Int16((random.normal() * steps).rounded()) } : []
    }

    /// Applies the exposure and the noise of one frame.
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
