import KinemaCore

/// The soft shadow of solids on the floor, accumulated on a grid and applied to the picture.
struct FloorShadow {
    // 128 cells of 2.5 cm cover a fully stretched body.
    private static let cells = 128, cell = 0.025
    private let left, back: Double
    private var light = [Float](repeating: 1, count: cells * cells)

    init(of solids: [Solid], around center: Vector) {
        left = center.x - Double(Self.cells) * Self.cell / 2
        back = center.z - Double(Self.cells) * Self.cell / 2
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
                let dx = (Double(column) + 0.5) * Self.cell - x
                let dz = (Double(row) + 0.5) * Self.cell - z
                let share = Float((dx * dx + dz * dz) / (reach * reach))
                if share < 1 { light[row * Self.cells + column] *= max(0, 1 - dark * (1 - share) * (1 - share)) }
            }
        }
    }

    private func range(_ low: Double, _ high: Double) -> Range<Int> {
        let first = Int(min(max(low / Self.cell, 0), Double(Self.cells)))
        let last = Int(min(max(high / Self.cell + 1, 0), Double(Self.cells)))
        return first..<max(first, last)
    }

    func draw(on bitmap: inout Bitmap, _ projection: Projection) {
        let size = Double(Self.cells) * Self.cell
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
            // The floor is equally far along a row if the camera is level, and else along no more than a pixel of it.
            for part in projection.isLevel ? [columns] : columns.map({ $0..<$0 + 1 }) {
                let u = (Double(part.lowerBound) + 0.5 - projection.centerX) / projection.focal
                let depth = projection.floorDepth(projection.isLevel ? 0 : u, v)
                guard depth.isFinite else { continue }
                darken(
                    row: y, columns: part, start: projection.position + side * depth, depth: depth, &bitmap, projection)
            }
        }
    }

    private func darken(
        row: Int, columns: Range<Int>, start: Vector, depth: Double, _ bitmap: inout Bitmap, _ projection: Projection
    ) {
        let scale = Float(1 / Self.cell)
        let step = depth / projection.focal
        let stepX = Float(projection.right.x * step) * scale
        let stepZ = Float(projection.right.z * step) * scale
        let first = Float(Double(columns.lowerBound) + 0.5 - projection.centerX)
        var x = Float(start.x - left) * scale + first * stepX - 0.5
        var z = Float(start.z - back) * scale + first * stepZ - 0.5
        var pixel = (row * bitmap.width + columns.lowerBound) * 4
        let limit = Float(Self.cells - 1)
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
        let index = row * Self.cells + column
        let near = light[index] * (1 - dx) + light[index + 1] * dx
        let far = light[index + Self.cells] * (1 - dx) + light[index + Self.cells + 1] * dx
        return 0.25 + 0.75 * (near * (1 - dz) + far * dz)
    }

    private func pixels(_ shares: [Double], of length: Int) -> Range<Int> {
        let low = min(max(shares.min() ?? 0, 0), 1) * Double(length)
        let high = min(max(shares.max() ?? 1, 0), 1) * Double(length)
        return Int(low)..<max(Int(low), Int(high.rounded(.up)))
    }
}
