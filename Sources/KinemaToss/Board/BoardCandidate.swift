import Foundation

struct BoardCandidate {
    /// The corners in order, counterclockwise, in picture heights.
    let corners: [CGPoint]
    let hole: CGPoint
    /// The area, in squared picture heights.
    var area: Double { abs(Polyline.area(corners)) }
    /// The deviation of the hole and the edges, 0 for a perfect board.
    let error: Double

    /// The maximum offset of the hole, as a share of its diameter.
    private static let maximumHoleOffset = 0.8
    /// The maximum deviation of the hole's radius, as a share of the radius.
    private static let maximumHoleDeviation = 0.3

    /// Tests a quadrilateral with the outlines in it (picture heights, y up); nil if it is not a board. `roughness` is
    /// the outline's deviation from straight edges.
    init?(corners: [CGPoint], roughness: Double, holes: [[CGPoint]], rules: TossRules) {
        let corners = Polyline.area(corners) < 0 ? Array(corners.reversed()) : corners
        var best: (corners: [CGPoint], hole: CGPoint, error: Double)?
        for shift in 0..<4 {
            let rotated = Array(corners[shift...] + corners[..<shift])
            guard let rectify = Homography(from: rotated, to: rules.boardCorners) else { continue }
            for hole in holes {
                guard let error = Self.error(of: hole.map { rectify($0) }, rules: rules),
                    error < best?.error ?? .infinity
                else { continue }
                best = (rotated, Polyline.centroid(hole), error)
            }
        }
        guard let best else { return nil }
        self.corners = best.corners
        hole = best.hole
        error = best.error + roughness
    }

    /// The error of a rectified hole, in metres of the face, against the real one; nil if it is not the hole.
    private static func error(of hole: [CGPoint], rules: TossRules) -> Double? {
        guard hole.count >= 6, hole.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        let centre = Polyline.centroid(hole)
        let offset = hypot(centre.x - rules.holeCentre.x, centre.y) / rules.holeDiameter
        let radii = hole.map { hypot($0.x - centre.x, $0.y - centre.y) }
        let radius = radii.reduce(0, +) / Double(radii.count)
        let deviation = (radii.reduce(0) { $0 + ($1 - radius) * ($1 - radius) } / Double(radii.count)).squareRoot()
        let size = radius * 2 / rules.holeDiameter
        guard offset < maximumHoleOffset, (0.5...1.6).contains(size), deviation / radius < maximumHoleDeviation else {
            return nil
        }
        return offset + abs(log(size)) + deviation / radius
    }

    /// Whether another candidate is the same board, to within a tenth of its longest side.
    func matches(_ other: BoardCandidate) -> Bool {
        let sides = zip(corners, corners.dropFirst() + corners.prefix(1)).map { hypot($0.x - $1.x, $0.y - $1.y) }
        let tolerance = 0.1 * (sides.max() ?? 0)
        return zip(corners, other.corners).allSatisfy { hypot($0.x - $1.x, $0.y - $1.y) < tolerance }
    }

    func observation(aspectRatio: Double) -> TossBoardObservation {
        func normalized(_ point: CGPoint) -> CGPoint { CGPoint(x: point.x / aspectRatio, y: point.y) }
        return TossBoardObservation(
            corners: corners.map(normalized), hole: normalized(hole), confidence: Float(1 - 0.35 * error))
    }
}
