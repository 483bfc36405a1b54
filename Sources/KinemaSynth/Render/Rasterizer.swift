internal import KinemaCore

/// Draws solids into a picture: depth-tested per pixel, shaded, with anti-aliased edges.
struct Rasterizer {
    private let projection: Projection
    private let solids: [ProjectedSolid]
    private let lighting: Lighting
    /// The part of the picture that solids may cover.
    private let columns, rows: Range<Int>
    // For each pixel of that part: the depth of the nearest surface and the index of its solid (-1 for none).
    private let depths: [Float]
    private let nearest: [Int32]

    init(_ solids: [Solid], _ projection: Projection) {
        let visible = solids.map { ProjectedSolid($0, projection) }.filter { !$0.columns.isEmpty && !$0.rows.isEmpty }
        let left = visible.map(\.columns.lowerBound).min() ?? 0
        let right = visible.map(\.columns.upperBound).max() ?? 0
        let top = visible.map(\.rows.lowerBound).min() ?? 0
        let bottom = visible.map(\.rows.upperBound).max() ?? 0
        self.projection = projection
        self.solids = visible
        lighting = Lighting(projection)
        columns = left..<max(left, right)
        rows = top..<max(top, bottom)
        var depths = [Float](repeating: .infinity, count: columns.count * rows.count)
        var nearest = [Int32](repeating: -1, count: columns.count * rows.count)
        let width = columns.count
        for (index, solid) in visible.enumerated() {
            solid.forEachPixel(in: projection) { x, y, depth in
                let cell = (y - top) * width + x - left
                if depth < depths[cell] { (depths[cell], nearest[cell]) = (depth, Int32(truncatingIfNeeded: index)) }
            }
        }
        (self.depths, self.nearest) = (depths, nearest)
    }

    func draw(on bitmap: inout Bitmap) {
        guard !columns.isEmpty, !rows.isEmpty else { return }
        shade(&bitmap)
        smoothEdges(&bitmap)
    }

    private func shade(_ bitmap: inout Bitmap) {
        let inverseFocal = Float(1 / projection.focal)
        let width = bitmap.width
        var pixels = bitmap.pixels.mutableSpan
        for y in rows {
            let v = (Float(projection.centerY) - Float(y) - 0.5) * inverseFocal
            var cell = (y - rows.lowerBound) * columns.count
            var pixel = (y * width + columns.lowerBound) * 4
            for x in columns {
                let index = Int(nearest[cell])
                if index >= 0 {
                    let u = (Float(x) + 0.5 - Float(projection.centerX)) * inverseFocal
                    let (depth, along) = solids[index].hit(u, v)
                    let color = lighting.shade(solids[index], u, v, depth, along)
                    pixels[pixel] = UInt8(max(color.2, 0))
                    pixels[pixel + 1] = UInt8(max(color.1, 0))
                    pixels[pixel + 2] = UInt8(max(color.0, 0))
                }
                cell += 1
                pixel += 4
            }
        }
    }

    /// Supersamples pixels on edges between surfaces with four samples.
    private func smoothEdges(_ bitmap: inout Bitmap) {
        let source = bitmap
        let width = columns.count
        for y in rows.dropFirst().dropLast() {
            let start = (y - rows.lowerBound) * width
            for column in 1..<max(width - 1, 1) {
                let cell = start + column
                if isSmooth(cell, cell + 1) && isSmooth(cell, cell - 1) && isSmooth(cell, cell + width)
                    && isSmooth(cell, cell - width)
                {
                    continue
                }
                smooth(x: columns.lowerBound + column, y: y, cell: cell, source: source, on: &bitmap)
            }
        }
    }

    /// Whether two pixels show the same surface, or two touching surfaces of one colour.
    @inline(__always)
    private func isSmooth(_ cell: Int, _ other: Int) -> Bool {
        let (own, next) = (nearest[cell], nearest[other])
        if own == next { return true }
        guard own >= 0, next >= 0, abs(depths[cell] - depths[other]) < 0.02 else { return false }
        return solids[Int(own)].isPainted(like: solids[Int(next)])
    }

    private func smooth(x: Int, y: Int, cell: Int, source: Bitmap, on bitmap: inout Bitmap) {
        let width = columns.count
        // Only surfaces of the neighbouring pixels can appear inside the pixel. The background keeps its own colour.
        let around = (
            nearest[cell], nearest[cell - 1], nearest[cell + 1], nearest[cell - width], nearest[cell + width]
        )
        var background = (y * bitmap.width + x) * 4
        if around.0 >= 0 {
            if around.1 < 0 {
                background -= 4
            } else if around.2 < 0 {
                background += 4
            } else if around.3 < 0 {
                background -= bitmap.width * 4
            } else if around.4 < 0 {
                background += bitmap.width * 4
            }
        }
        let back = (
            Float(source.pixels[background + 2]), Float(source.pixels[background + 1]), Float(source.pixels[background])
        )
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

    /// The colour of the nearest of five candidates along a ray; nil if the ray hits none.
    private func sample(
        _ u: Float, _ v: Float, _ candidates: (Int32, Int32, Int32, Int32, Int32)
    ) -> (Float, Float, Float)? {
        var best: (depth: Float, along: Float) = (Float(projection.floorDepth(Double(u), Double(v))), 0)
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
