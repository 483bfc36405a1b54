internal import KinemaCore
internal import KinemaDraw

/// The room behind the people: floor, walls and pictures.
package struct Backdrop: Sendable {
    package enum Style: String, CaseIterable, Codable, Sendable {
        /// Wooden floor, light panelled walls.
        case studio
        /// Rubber floor, brick walls.
        case gym
        /// Carpet, painted walls with pictures.
        case home
    }

    fileprivate let style: Style
    fileprivate let wall, floor: Color
    fileprivate let seed: UInt64

    /// Makes a room; the seed chooses its colours and details.
    package init(_ style: Style, seed: UInt64) {
        var random = RandomSource(seed: seed)
        (self.style, self.seed) = (style, seed)
        let (walls, floors): ([UInt32], [UInt32]) =
            switch style {
            case .studio: ([0xC9D2D6, 0xD8D0C2, 0xBFC8BC], [0xA87B4F, 0xB9905F, 0x8C6239])
            case .gym: ([0x9A6A55, 0x8D8A86, 0xA08A74], [0x55585E, 0x4C5552, 0x62605C])
            case .home: ([0xD9C9A8, 0xA9BFC9, 0xC9B3A9], [0x8F8576, 0x7C8891, 0x9B8468])
            }
        wall = Color(hex: random.pick(walls))
        floor = Color(hex: random.pick(floors))
    }

    static func random(using random: inout RandomSource) -> Backdrop {
        Backdrop(random.pick(Style.allCases), seed: random.next())
    }

    /// Renders the empty room from a camera, with `margin` extra pixels on every side.
    func bitmap(_ camera: SynthCamera, width: Int, height: Int, margin: Int) -> Bitmap {
        let projection = Projection(camera, width: width, height: height, shiftX: margin, shiftY: margin)
        let half = max(4.2, abs(camera.position.x) + 0.8, abs(camera.position.z) + 0.8)
        // Some cameras are higher than a usual ceiling.
        let ceiling = camera.position.y < 3 ? 3.1 : camera.position.y + 1.5
        let room = Room(backdrop: self, half: half, ceiling: ceiling, pixel: 1 / projection.focal)
        var bitmap = Bitmap(width: width + 2 * margin, height: height + 2 * margin)
        var index = 0
        for y in 0..<bitmap.height {
            let v = (projection.centerY - Double(y) - 0.5) / projection.focal
            let row = projection.forward + projection.up * v
            for x in 0..<bitmap.width {
                let u = (Double(x) + 0.5 - projection.centerX) / projection.focal
                let color = room.color(
                    px: projection.position.x, py: projection.position.y, pz: projection.position.z,
                    dx: row.x + projection.right.x * u, dy: row.y + projection.right.y * u,
                    dz: row.z + projection.right.z * u)
                bitmap.pixels[index] = UInt8(min(max(color.2 * 255, 0), 255))
                bitmap.pixels[index + 1] = UInt8(min(max(color.1 * 255, 0), 255))
                bitmap.pixels[index + 2] = UInt8(min(max(color.0 * 255, 0), 255))
                index += 4
            }
        }
        return bitmap
    }
}

/// The inside of a box with textures on its six sides.
private struct Room {
    let backdrop: Backdrop
    let half, ceiling: Double
    /// The width of one pixel at a distance of one metre; finer seams are blurred.
    let pixel: Double

    typealias RGB = (Double, Double, Double)

    func color(px: Double, py: Double, pz: Double, dx: Double, dy: Double, dz: Double) -> RGB {
        // Find the nearest side along the ray.
        let toX = dx == 0 ? Double.infinity : ((dx > 0 ? half : -half) - px) / dx
        let toZ = dz == 0 ? Double.infinity : ((dz > 0 ? half : -half) - pz) / dz
        let toY = dy == 0 ? Double.infinity : ((dy > 0 ? ceiling : 0) - py) / dy
        let depth = min(toX, toY, toZ)
        let (x, y, z) = (px + dx * depth, py + dy * depth, pz + dz * depth)
        if depth == toY { return dy > 0 ? (0.86, 0.86, 0.84) : floor(x, z, depth) }
        // Little light reaches the corners.
        let isSide = depth == toX
        let along = isSide ? z : x
        let corner = 0.82 + 0.18 * min(1, (half - abs(along)) / 1.2)
        let shade = corner * (isSide ? 0.93 : 1) * (0.86 + 0.14 * min(1, y / 1.4))
        let paint = wall(along, y, side: isSide ? (dx > 0 ? 1 : 2) : (dz > 0 ? 3 : 4), depth)
        return (paint.0 * shade, paint.1 * shade, paint.2 * shade)
    }

    private func floor(_ x: Double, _ z: Double, _ depth: Double) -> RGB {
        let base = backdrop.floor
        var light = 0.9 + 0.1 * min(1, max(0, (half - max(abs(x), abs(z))) / 2))
        switch backdrop.style {
        case .studio:
            // Planks along x, each with its own shade and grain.
            let plank = (z / 0.14).rounded(.down)
            let end = ((x + plank * 0.73) / 1.6).rounded(.down)
            light *= 0.9 + 0.16 * cellNoise(Int(plank), Int(end)) + 0.05 * cellNoise(Int(x * 9), Int(z * 160))
            light *= seam(z, every: 0.14, thickness: 0.006, depth)
        case .gym:
            light *= 0.94 + 0.1 * cellNoise(Int((x * 70).rounded(.down)), Int((z * 70).rounded(.down)))
            light *= seam(x, every: 1, thickness: 0.012, depth) * seam(z, every: 1, thickness: 0.012, depth)
        case .home:
            light *= 0.92 + 0.14 * cellNoise(Int((x * 45).rounded(.down)), Int((z * 45).rounded(.down)))
        }
        return (base.red * light, base.green * light, base.blue * light)
    }

    private func wall(_ along: Double, _ y: Double, side: Int, _ depth: Double) -> RGB {
        let base = backdrop.wall
        if y < 0.1 { return (base.red * 0.55, base.green * 0.55, base.blue * 0.55) }
        if let picture = picture(along, y, side: side) { return picture }
        var light = 0.97 + 0.04 * cellNoise(Int((along * 40).rounded(.down)), Int((y * 40).rounded(.down)))
        switch backdrop.style {
        case .studio:
            light *= seam(along, every: 1.25, thickness: 0.02, depth) * (y < 1 ? 0.95 : 1)
        case .gym:
            let row = (y / 0.11).rounded(.down)
            let shifted = along + (Int(row) % 2 == 0 ? 0 : 0.14)
            let brick = cellNoise(Int((shifted / 0.28).rounded(.down)), Int(row) + side * 977)
            light *= 0.88 + 0.2 * brick
            light *= 2 - seam(y, every: 0.11, thickness: 0.014, depth)
        case .home:
            light *= y < 0.9 ? 0.9 : 1
        }
        return (base.red * light, base.green * light, base.blue * light)
    }

    /// Posters and windows: one slot every two metres of wall, about half of them used.
    private func picture(_ along: Double, _ y: Double, side: Int) -> RGB? {
        let slot = Int((along / 2).rounded(.down))
        guard cellNoise(slot + 31 * side, 7) < 0.55 else { return nil }
        let middle = 2 * Double(slot) + 0.7 + 0.6 * cellNoise(slot, 3 + side)
        let width = 0.25 + 0.3 * cellNoise(slot, 11 + side)
        let height = 0.25 + 0.3 * cellNoise(slot, 13 + side)
        let (x, z) = (abs(along - middle), abs(y - 1.75))
        guard x < width, z < height else { return nil }
        if x > width - 0.035 || z > height - 0.035 { return (0.25, 0.22, 0.2) }
        let hue = cellNoise(slot, 17 + side)
        let fade = (y - 1.75 + height) / (2 * height)
        let stripe = 0.1 * cellNoise(Int(y * 14), slot)
        return (0.35 + 0.4 * hue * fade + stripe, 0.45 + 0.3 * fade + stripe, 0.75 - 0.4 * hue + 0.2 * fade)
    }

    /// The brightness of repeating lines: 1 beside them and darker on them; lines finer than a pixel fade out.
    private func seam(_ value: Double, every: Double, thickness: Double, _ depth: Double) -> Double {
        let position = value / every
        let offset = abs(position - position.rounded()) * every
        let blur = max(thickness, pixel * depth * 1.5)
        return offset < blur ? 1 - 0.28 * (thickness / blur) * (1 - offset / blur) : 1
    }

    /// A pseudo-random number in 0...1 for a cell.
    private func cellNoise(_ a: Int, _ b: Int) -> Double {
        var bits = UInt64(bitPattern: Int64(a)) &* 0x9E37_79B9_7F4A_7C15
        bits ^= UInt64(bitPattern: Int64(b)) &* 0xC2B2_AE3D_27D4_EB4F
        bits ^= backdrop.seed &* 0x1656_67B1_9E37_79F9
        bits = (bits ^ (bits >> 32)) &* 0xD6E8_FEB8_6659_FD93
        bits ^= bits >> 32
        return Double(bits & 0xFFFF) / 65535
    }
}
