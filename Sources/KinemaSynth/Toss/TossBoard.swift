import KinemaCore
import KinemaDraw

/// The board: 1.22 m by 0.61 m with a hole of 0.152 m, 3 inches high at the near end and 12 at the far end (American
/// Cornhole Association).
struct TossBoard: Sendable {
    static let length = 1.22, width = 0.61, holeRadius = 0.076
    /// The distance from the far edge to the centre of the hole, in metres (9 inches).
    static let holeInset = 0.229
    static let nearHeight = 0.076, farHeight = 0.305

    /// The centre of the face, in metres.
    let centre: Vector
    /// The directions along the face away from the player and across it.
    let along, across: Vector
    let face, frame: Color
    let look: BoardLook

    /// Makes a board with its hole above a point of the floor; `heading` (radians, 0 is +z) is the throws' direction.
    init(holeOver point: Vector, heading: Double, face: Color, frame: Color, look: BoardLook = .painted) {
        let slope = (TossBoard.farHeight - TossBoard.nearHeight) / TossBoard.length
        let level = Vector(sine(heading), 0, cosine(heading))
        let run = (1 - slope * slope).squareRoot()
        along = level * run + Vector.up * slope
        across = Vector(cosine(heading), 0, -sine(heading))
        let toHole = TossBoard.length / 2 - TossBoard.holeInset
        centre = Vector(point.x, (TossBoard.nearHeight + TossBoard.farHeight) / 2, point.z) - level * (toHole * run)
        (self.face, self.frame, self.look) = (face, frame, look)
    }

    var normal: Vector {
        let normal = along.cross(across).unit
        return normal.y > 0 ? normal : normal * -1
    }

    /// A point of the face, in metres along and across from its centre.
    func point(_ u: Double, _ v: Double) -> Vector { centre + along * u + across * v }

    var hole: Vector { point(TossBoard.length / 2 - TossBoard.holeInset, 0) }

    /// The corners in order around the face, starting at the near end.
    var corners: [Vector] {
        let (l, w) = (TossBoard.length / 2, TossBoard.width / 2)
        return [point(-l, -w), point(-l, w), point(l, w), point(l, -w)]
    }

    var shade: [Solid] { [-0.2, 0, 0.2].map { v in Solid(point(-0.55, v), point(0.55, v), 0.1, 0.1, face) } }

    /// The cover of the near end's corner on the camera's side.
    var cover: [Solid] {
        guard look == .hidden else { return [] }
        let corner = point(-TossBoard.length / 2 + 0.03, across.z > 0 ? TossBoard.width / 2 : -TossBoard.width / 2)
        let foot = Vector(corner.x, 0.08, corner.z + 0.06)
        return [Solid(foot, foot + Vector.up * 0.08, 0.08, 0.08, Color(hex: 0x3C5A3E))]
    }

    func draw(on bitmap: inout Bitmap, _ projection: Projection) {
        let drop = Vector.up * -0.09
        for edge in [(0, 1), (1, 2), (2, 3), (3, 0)] {
            let (a, b) = (corners[edge.0], corners[edge.1])
            let quad = [a, b, b + drop, a + drop]
            let dark = Color(red: frame.red * 0.55, green: frame.green * 0.55, blue: frame.blue * 0.55)
            fill(quad, on: &bitmap, projection) { _ in dark }
        }
        for (u, v) in [(0.55, -0.26), (0.55, 0.26)] {
            let top = point(u, v)
            let foot = Vector(top.x, 0, top.z)
            let side = along * 0.03
            fill([top - side, top + side, foot + side, foot - side], on: &bitmap, projection) { _ in
                Color(red: frame.red * 0.4, green: frame.green * 0.4, blue: frame.blue * 0.4)
            }
        }
        let hole = hole
        fill(corners, on: &bitmap, projection) { point in
            let offset = point - centre
            let (u, v) = (abs(offset.dot(along)), abs(offset.dot(across)))
            let distance = (point - hole).length
            if distance < TossBoard.holeRadius { return Color(red: 0.06, green: 0.05, blue: 0.05) }
            let isFrame = u > TossBoard.length / 2 - 0.025 || v > TossBoard.width / 2 - 0.025
            return look.paint(isFrame ? frame : face, offset.dot(along), offset.dot(across))
        }
    }

    /// Fills a planar quadrilateral with nine samples per pixel.
    private func fill(
        _ quad: [Vector], on bitmap: inout Bitmap, _ projection: Projection, _ paint: (Vector) -> Color
    ) {
        let image = quad.compactMap { projection.normalized($0) }
        guard image.count == quad.count else { return }
        let xs = image.map { $0.x * Double(projection.width) }
        let ys = image.map { (1 - $0.y) * Double(projection.height) }
        let left = max(0, Int((xs.min() ?? 0) - 1))
        let right = min(projection.width - 1, Int((xs.max() ?? 0) + 1))
        let top = max(0, Int((ys.min() ?? 0) - 1))
        let bottom = min(projection.height - 1, Int((ys.max() ?? 0) + 1))
        guard left <= right, top <= bottom else { return }
        let normal = (quad[1] - quad[0]).cross(quad[2] - quad[0])
        let reach = (quad[0] - projection.position).dot(normal)
        let outline = Array(zip(xs, ys))
        for y in top...bottom {
            for x in left...right {
                blend(x, y, quad: outline, normal, reach, &bitmap, projection, paint)
            }
        }
    }

    private func blend(
        _ x: Int, _ y: Int, quad: [(Double, Double)], _ normal: Vector, _ reach: Double, _ bitmap: inout Bitmap,
        _ projection: Projection, _ paint: (Vector) -> Color
    ) {
        var (red, green, blue, hits) = (0.0, 0.0, 0.0, 0.0)
        for step in 0..<9 {
            let px = Double(x) + (Double(step % 3) + 0.5) / 3
            let py = Double(y) + (Double(step / 3) + 0.5) / 3
            guard isInside(px, py, quad) else { continue }
            let u = (px - projection.centerX) / projection.focal
            let v = (projection.centerY - py) / projection.focal
            let ray = projection.forward + projection.right * u + projection.up * v
            let slant = ray.dot(normal)
            guard abs(slant) > 1e-9 else { continue }
            let color = paint(projection.position + ray * (reach / slant))
            (red, green, blue, hits) = (red + color.red, green + color.green, blue + color.blue, hits + 1)
        }
        guard hits > 0 else { return }
        let pixel = (y * bitmap.width + x) * 4
        for (channel, sum) in [(0, blue), (1, green), (2, red)] {
            let background = Double(bitmap.pixels[pixel + channel]) * (9 - hits)
            bitmap.pixels[pixel + channel] = UInt8(min(max((background + sum * 255) / 9, 0), 255))
        }
    }

    private func isInside(_ x: Double, _ y: Double, _ quad: [(Double, Double)]) -> Bool {
        var isInside = false
        for index in quad.indices {
            let (a, b) = (quad[index], quad[(index + 1) % quad.count])
            if (a.1 > y) != (b.1 > y), x < a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0) { isInside.toggle() }
        }
        return isInside
    }
}

package enum BoardLook: String, CaseIterable, Sendable {
    /// Painted in one bright colour, in full view from the side: the usual game.
    case painted
    /// Painted in one dark colour.
    case dark
    /// Painted in one strong colour, about as bright as a floor.
    case coloured
    /// Bare planks with their grain.
    case wood
    /// Covered with a checked cloth.
    case cloth
    /// A triangle of another colour that points to the hole.
    case triangle
    /// Half in a shadow.
    case shadow
    /// A corner is hidden by something that stands before it.
    case hidden
    /// In perspective: the camera stands far to one side.
    case slanted

    /// The colours of face and frame for a game; nil for the usual ones.
    func colors(_ random: inout RandomSource) -> (face: Color, frame: Color)? {
        func pick(_ pairs: [(UInt32, UInt32)]) -> (face: Color, frame: Color) {
            let pair = pairs[random.integer(in: 0...pairs.count - 1)]
            return (Color(hex: pair.0), Color(hex: pair.1))
        }
        return switch self {
        case .painted, .triangle, .shadow, .hidden, .slanted: nil
        case .dark: pick([(0x1F2A44, 0x1F2A44), (0x26282B, 0x26282B), (0x1C3B2A, 0xB8935A), (0x4A1620, 0x4A1620)])
        case .coloured: pick([(0xC4242C, 0xC4242C), (0x1F5FC4, 0xF4F1EA), (0x23964A, 0x23964A), (0xE07A1C, 0xE07A1C)])
        case .wood: pick([(0xC9A26B, 0xB8935A), (0xD8B886, 0xD8B886), (0xA87B4A, 0x9C6B3A)])
        case .cloth: pick([(0xC04A48, 0xEDE8DC), (0x3F6FA8, 0xEDE8DC), (0x5A8A58, 0x5A8A58)])
        }
    }

    /// The colour of a place of the face, in metres along and across from its centre.
    func paint(_ face: Color, _ u: Double, _ v: Double) -> Color {
        switch self {
        case .painted, .dark, .coloured, .hidden, .slanted: return face
        case .wood:
            // Planks of 12 cm, each a little brighter or darker, with a grain along them.
            let plank = Int((v + 1) / 0.12)
            let tone = [0.0, 0.07, -0.05, 0.03, -0.08][plank % 5]
            return face.scaled(
                1 + tone + 0.06 * sine(90 * v + 3 * sine(4 * u)) - (fraction((v + 1) / 0.12) < 0.04 ? 0.3 : 0))
        case .cloth:
            let isLight = (Int((u + 2) / 0.06) + Int((v + 2) / 0.06)) % 2 == 0
            return isLight ? face.scaled(1.35) : face
        case .triangle:
            let half = 0.22 * (TossBoard.length / 2 - TossBoard.holeInset - u) / TossBoard.length
            return abs(v) < half ? Color(hex: 0x24508C) : face
        case .shadow: return u + 0.4 * v < -0.05 ? face.scaled(0.5) : face
        }
    }

    private func fraction(_ value: Double) -> Double { value - value.rounded(.down) }
}

extension Color {
    fileprivate func scaled(_ share: Double) -> Color {
        Color(red: min(red * share, 1), green: min(green * share, 1), blue: min(blue * share, 1), alpha: alpha)
    }
}
