internal import KinemaDraw

/// A cone-sphere: a sphere swept along a line while its radius changes linearly. All shapes are made of it.
struct Solid: Sendable {
    /// The ends and the radii there, in metres.
    var from, to: Vector
    var fromRadius, toRadius: Double
    var color: Color
    /// The strength of highlights, 0...1.
    var gloss: Double
    /// The person it belongs to; nil for objects.
    var owner: Int?

    init(
        _ from: Vector, _ to: Vector, _ fromRadius: Double, _ toRadius: Double, _ color: Color, gloss: Double = 0.08,
        owner: Int? = nil
    ) {
        (self.from, self.to, self.fromRadius, self.toRadius) = (from, to, fromRadius, toRadius)
        (self.color, self.gloss, self.owner) = (color, gloss, owner)
    }
}

/// A solid in camera space, with all values that are the same for every ray. Rays run along (u, v, 1), so the ray
/// parameter is the depth; the surface of a swept sphere gives a quadratic equation in it.
struct ProjectedSolid {
    // The axis: its start, and its direction times its length.
    let ax, ay, az, dx, dy, dz: Float
    let radius: Float
    /// The decrease of the radius along the axis.
    let shrink: Float
    /// 1 / (length² - shrink²); 0 if one end's sphere contains the other.
    let inverse: Float
    let y0: Float
    let bodyC, startC, endC: Float
    let red, green, blue, gloss: Float
    /// The columns and rows it may cover; empty if it is not visible.
    let columns, rows: Range<Int>

    init(_ solid: Solid, _ projection: Projection) {
        let isFromBigger = solid.fromRadius >= solid.toRadius
        let a = projection.cameraSpace(isFromBigger ? solid.from : solid.to)
        let b = projection.cameraSpace(isFromBigger ? solid.to : solid.from)
        let ra = max(solid.fromRadius, solid.toRadius)
        let rb = min(solid.fromRadius, solid.toRadius)
        let d = b - a
        let span = d.dot(d) - (ra - rb) * (ra - rb)
        let isCone = span > 1e-9
        let start = -a.dot(d) - ra * (ra - rb)
        (ax, ay, az) = (Float(a.x), Float(a.y), Float(a.z))
        (dx, dy, dz) = (Float(d.x), Float(d.y), Float(d.z))
        radius = Float(ra)
        shrink = Float(ra - rb)
        inverse = isCone ? Float(1 / span) : 0
        y0 = Float(start)
        startC = Float(a.dot(a) - ra * ra)
        endC = Float(b.dot(b) - rb * rb)
        bodyC = isCone ? Float(a.dot(a) - ra * ra - start * start / span) : 0
        (red, green, blue) = (Float(solid.color.red), Float(solid.color.green), Float(solid.color.blue))
        gloss = Float(solid.gloss)
        (columns, rows) = ProjectedSolid.bounds(a, ra, b, rb, projection)
    }

    @inline(__always)
    func isPainted(like other: ProjectedSolid) -> Bool {
        red == other.red && green == other.green && blue == other.blue
    }

    /// The pixels of the bounding box of both end spheres.
    private static func bounds(
        _ a: Vector, _ ra: Double, _ b: Vector, _ rb: Double, _ projection: Projection
    ) -> (Range<Int>, Range<Int>) {
        var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        for (center, radius) in [(a, ra), (b, rb)] {
            let near = center.z - radius
            // Anything closer to the lens than 10 cm is dropped.
            guard near > 0.1 else { return (0..<0, 0..<0) }
            // A sphere's outline is slightly larger than the cross-section through its centre.
            let scale = projection.focal / center.z
            let reach = 1.02 * projection.focal * radius / near + 1.5
            left = min(left, projection.centerX + center.x * scale - reach)
            right = max(right, projection.centerX + center.x * scale + reach)
            top = min(top, projection.centerY - center.y * scale - reach)
            bottom = max(bottom, projection.centerY - center.y * scale + reach)
        }
        let width = Double(projection.width)
        let height = Double(projection.height)
        guard right > 0, left < width, bottom > 0, top < height else { return (0..<0, 0..<0) }
        return (Int(max(left, 0))..<Int(min(right + 1, width)), Int(max(top, 0))..<Int(min(bottom + 1, height)))
    }

    /// The depth at which the ray (u, v, 1) hits the solid (-1 for a miss), and the position along the axis, 0...1.
    @inline(__always)
    func hit(_ u: Float, _ v: Float) -> (depth: Float, along: Float) {
        let dd = u * u + v * v + 1
        let od = -(u * ax + v * ay + az)
        guard inverse > 0 else { return (ProjectedSolid.sphere(dd, od, startC), 0) }
        let y1 = u * dx + v * dy + dz
        let a = dd - y1 * y1 * inverse
        // Looking straight along a cone, only its ends are visible.
        if a < 1e-7 * dd { return ends(u, v, dd, od) }
        let b = od - y0 * y1 * inverse
        let disc = b * b - a * bodyC
        if disc < 0 { return (-1, 0) }
        let depth = (-b - disc.squareRoot()) / a
        let along = (y0 + depth * y1) * inverse
        if along < 0 { return (ProjectedSolid.sphere(dd, od, startC), 0) }
        if along > 1 { return (ProjectedSolid.sphere(dd, -(u * (ax + dx) + v * (ay + dy) + az + dz), endC), 1) }
        return (depth, along)
    }

    /// Calls `body` with each pixel where the solid is before the floor, and its depth there.
    @inline(__always)
    func forEachPixel(in projection: Projection, _ body: (_ x: Int, _ y: Int, _ depth: Float) -> Void) {
        let inverseFocal = Float(1 / projection.focal)
        let firstU = (Float(columns.lowerBound) + 0.5 - Float(projection.centerX)) * inverseFocal
        for y in rows {
            let v = (Float(projection.centerY) - Float(y) - 0.5) * inverseFocal
            // The floor hides everything below it.
            var floor = Float(projection.floorDepth(0, Double(v)))
            var u = firstU
            for x in columns {
                let depth = hit(u, v).depth
                if !projection.isLevel { floor = Float(projection.floorDepth(Double(u), Double(v))) }
                if depth > 0, depth < floor { body(x, y, depth) }
                u += inverseFocal
            }
        }
    }

    private func ends(_ u: Float, _ v: Float, _ dd: Float, _ od: Float) -> (depth: Float, along: Float) {
        let first = ProjectedSolid.sphere(dd, od, startC)
        let second = ProjectedSolid.sphere(dd, -(u * (ax + dx) + v * (ay + dy) + az + dz), endC)
        if second > 0, first <= 0 || second < first { return (second, 1) }
        return (first, 0)
    }

    @inline(__always)
    private static func sphere(_ a: Float, _ b: Float, _ c: Float) -> Float {
        let disc = b * b - a * c
        return disc < 0 ? -1 : (-b - disc.squareRoot()) / a
    }
}
