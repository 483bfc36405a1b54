internal import KinemaCore

/// Draws solids into a picture: nearest surface per pixel, shaded, with smooth edges.
struct Rasterizer {
    private let projection: Projection
    private let solids: [SeenSolid]
    private let lighting: Lighting
    /// The part of the picture any solid may cover.
    private let columns: Range<Int>
    private let rows: Range<Int>
    // One entry a pixel of that part: the depth of the nearest surface, and the solid it belongs to (-1 none).
    private let depths: [Float]
    private let nearest: [Int32]

    init(_ solids: [Solid], _ projection: Projection) {
        let seen = solids.map { SeenSolid($0, projection) }.filter { !$0.columns.isEmpty && !$0.rows.isEmpty }
        let left = seen.map(\.columns.lowerBound).min() ?? 0
        let right = seen.map(\.columns.upperBound).max() ?? 0
        let top = seen.map(\.rows.lowerBound).min() ?? 0
        let bottom = seen.map(\.rows.upperBound).max() ?? 0
        self.projection = projection
        self.solids = seen
        lighting = Lighting(projection)
        columns = left..<max(left, right)
        rows = top..<max(top, bottom)
        var depths = [Float](repeating: .infinity, count: columns.count * rows.count)
        var nearest = [Int32](repeating: -1, count: columns.count * rows.count)
        let area = (left: left, top: top, width: columns.count)
        for index in seen.indices {
            Rasterizer.find(index, seen[index], projection, area, &depths, &nearest)
        }
        self.depths = depths
        self.nearest = nearest
    }

    /// Draws everything on a picture of the projection's size.
    func draw(on bitmap: inout Bitmap) {
        guard !columns.isEmpty, !rows.isEmpty else { return }
        shade(&bitmap)
        smoothEdges(&bitmap)
    }

    /// Enters one solid wherever it is nearer than what was found before.
    private static func find(
        _ index: Int, _ solid: SeenSolid, _ projection: Projection, _ area: (left: Int, top: Int, width: Int),
        _ depths: inout [Float], _ nearest: inout [Int32]
    ) {
        let inverseFocal = Float(1 / projection.focal)
        let firstU = (Float(solid.columns.lowerBound) + 0.5 - Float(projection.centerX)) * inverseFocal
        var depths = depths.mutableSpan
        var nearest = nearest.mutableSpan
        for y in solid.rows {
            let v = (Float(projection.centerY) - Float(y) - 0.5) * inverseFocal
            // What is below the floor cannot be seen.
            let floor = Float(projection.floorDepth(Double(v)))
            var u = firstU
            var place = (y - area.top) * area.width + solid.columns.lowerBound - area.left
            for _ in solid.columns {
                let depth = solid.hit(u, v).depth
                if depth > 0, depth < depths[place], depth < floor {
                    depths[place] = depth
                    nearest[place] = Int32(truncatingIfNeeded: index)
                }
                place += 1
                u += inverseFocal
            }
        }
    }

    private func shade(_ bitmap: inout Bitmap) {
        let inverseFocal = Float(1 / projection.focal)
        let width = bitmap.width
        var pixels = bitmap.pixels.mutableSpan
        for y in rows {
            let v = (Float(projection.centerY) - Float(y) - 0.5) * inverseFocal
            var place = (y - rows.lowerBound) * columns.count
            var pixel = (y * width + columns.lowerBound) * 4
            for x in columns {
                let index = Int(nearest[place])
                if index >= 0 {
                    let u = (Float(x) + 0.5 - Float(projection.centerX)) * inverseFocal
                    let (depth, along) = solids[index].hit(u, v)
                    let color = lighting.shade(solids[index], u, v, depth, along)
                    pixels[pixel] = UInt8(max(color.2, 0))
                    pixels[pixel + 1] = UInt8(max(color.1, 0))
                    pixels[pixel + 2] = UInt8(max(color.0, 0))
                }
                place += 1
                pixel += 4
            }
        }
    }

    /// Samples pixels where two surfaces meet four times instead of once.
    private func smoothEdges(_ bitmap: inout Bitmap) {
        let source = bitmap
        let width = columns.count
        for y in rows.dropFirst().dropLast() {
            let start = (y - rows.lowerBound) * width
            for column in 1..<max(width - 1, 1) {
                let place = start + column
                if isSmooth(place, place + 1) && isSmooth(place, place - 1) && isSmooth(place, place + width)
                    && isSmooth(place, place - width)
                {
                    continue
                }
                smooth(x: columns.lowerBound + column, y: y, place: place, source: source, on: &bitmap)
            }
        }
    }

    /// Whether two pixels show the same surface, or two of one colour that touch.
    @inline(__always)
    private func isSmooth(_ place: Int, _ other: Int) -> Bool {
        let (own, next) = (nearest[place], nearest[other])
        if own == next { return true }
        guard own >= 0, next >= 0, abs(depths[place] - depths[other]) < 0.02 else { return false }
        return solids[Int(own)].isPainted(like: solids[Int(next)])
    }

    private func smooth(x: Int, y: Int, place: Int, source: Bitmap, on bitmap: inout Bitmap) {
        let width = columns.count
        // Only what shows in the neighbourhood can show inside the pixel; the ground shows through in its own colour.
        let around = (
            nearest[place], nearest[place - 1], nearest[place + 1], nearest[place - width], nearest[place + width]
        )
        var ground = (y * bitmap.width + x) * 4
        if around.0 >= 0 {
            if around.1 < 0 {
                ground -= 4
            } else if around.2 < 0 {
                ground += 4
            } else if around.3 < 0 {
                ground -= bitmap.width * 4
            } else if around.4 < 0 {
                ground += bitmap.width * 4
            }
        }
        let back = (Float(source.pixels[ground + 2]), Float(source.pixels[ground + 1]), Float(source.pixels[ground]))
        var sum: (Float, Float, Float) = (0, 0, 0)
        for step in 0..<4 {
            let u = (Float(x) + (step & 1 == 0 ? 0.25 : 0.75) - Float(projection.centerX)) / Float(projection.focal)
            let v = (Float(projection.centerY) - Float(y) - (step & 2 == 0 ? 0.25 : 0.75)) / Float(projection.focal)
            let color = sample(u, v, around) ?? back
            sum = (sum.0 + color.0, sum.1 + color.1, sum.2 + color.2)
        }
        let pixel = (y * bitmap.width + x) * 4
        bitmap.pixels[pixel] = UInt8(min(max(sum.2 / 4, 0), 255))
        bitmap.pixels[pixel + 1] = UInt8(min(max(sum.1 / 4, 0), 255))
        bitmap.pixels[pixel + 2] = UInt8(min(max(sum.0 / 4, 0), 255))
    }

    /// The colour of the nearest of five candidates along a ray; nil when it meets none.
    private func sample(
        _ u: Float, _ v: Float, _ candidates: (Int32, Int32, Int32, Int32, Int32)
    ) -> (Float, Float, Float)? {
        var best: (depth: Float, along: Float) = (Float(projection.floorDepth(Double(v))), 0)
        var chosen: Int32 = -1
        func consider(_ candidate: Int32) {
            guard candidate >= 0, candidate != chosen else { return }
            let hit = solids[Int(candidate)].hit(u, v)
            if hit.depth > 0, hit.depth < best.depth { (best, chosen) = (hit, candidate) }
        }
        consider(candidates.0)
        consider(candidates.1)
        consider(candidates.2)
        consider(candidates.3)
        consider(candidates.4)
        guard chosen >= 0 else { return nil }
        return lighting.shade(solids[Int(chosen)], u, v, best.depth, best.along)
    }
}
