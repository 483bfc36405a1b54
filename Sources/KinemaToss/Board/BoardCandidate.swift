import Foundation

/// An outline that looks like the board: four straight edges and a round hole in the right place.
struct BoardCandidate {
    /// In order, in picture heights.
    let corners: [CGPoint]
    let hole: CGPoint
    /// How far hole and edges are from what they should be, 0 for a perfect board.
    let error: Double

    /// The least share of the picture's height squared a board covers.
    private static let leastArea = 0.0015
    /// How far the hole may be off its place, shares of its diameter.
    private static let holeSlip = 0.8
    /// How unlike a circle it may be: its radius's deviation as a share of it.
    private static let holeUnroundness = 0.3

    /// Judges an outline and the outlines in it (picture heights, y up); nil when it is no board.
    init?(outline: [CGPoint], holes: [[CGPoint]], rules: TossRules) {
        let area = abs(Polyline.area(outline))
        guard area > Self.leastArea, let rough = Polyline.quadrilateral(outline),
            let fitted = Polyline.straightened(rough, along: outline)
        else { return nil }
        let full = abs(Polyline.area(fitted))
        // Nothing bitten off and nothing sticking out.
        guard full > 0, (0.88...1.08).contains(area / full) else { return nil }
        let corners = Polyline.area(fitted) < 0 ? Array(fitted.reversed()) : fitted
        let (l, w) = (rules.boardLength / 2, rules.boardWidth / 2)
        let face = [CGPoint(x: -l, y: -w), CGPoint(x: l, y: -w), CGPoint(x: l, y: w), CGPoint(x: -l, y: w)]
        var best: (corners: [CGPoint], hole: CGPoint, error: Double)?
        for shift in 0..<4 {
            let turned = Array(corners[shift...] + corners[..<shift])
            guard let flat = Homography(from: turned, to: face) else { continue }
            for hole in holes {
                guard let error = Self.error(of: hole.map { flat($0) }, rules: rules), error < best?.error ?? .infinity
                else { continue }
                best = (turned, Polyline.middle(hole), error)
            }
        }
        guard let best else { return nil }
        self.corners = best.corners
        hole = best.hole
        error = best.error + abs(1 - area / full)
    }

    /// How far a hole, seen straight on in metres of the face, is from the real one; nil when it is none.
    private static func error(of hole: [CGPoint], rules: TossRules) -> Double? {
        guard hole.count >= 6, hole.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        let middle = Polyline.middle(hole)
        let slip =
            hypot(middle.x - (rules.boardLength / 2 - rules.holeInset), middle.y) / rules.holeDiameter
        let radii = hole.map { hypot($0.x - middle.x, $0.y - middle.y) }
        let radius = radii.reduce(0, +) / Double(radii.count)
        let deviation = (radii.reduce(0) { $0 + ($1 - radius) * ($1 - radius) } / Double(radii.count)).squareRoot()
        let size = radius * 2 / rules.holeDiameter
        guard slip < holeSlip, (0.5...1.6).contains(size), deviation / radius < holeUnroundness else { return nil }
        return slip + abs(log(size)) + deviation / radius
    }

    /// Whether another outline is the same board, to a tenth of its longer side.
    func isAbout(_ other: BoardCandidate) -> Bool {
        let sides = zip(corners, corners.dropFirst() + corners.prefix(1)).map { hypot($0.x - $1.x, $0.y - $1.y) }
        let slack = 0.1 * (sides.max() ?? 0)
        return zip(corners, other.corners).allSatisfy { hypot($0.x - $1.x, $0.y - $1.y) < slack }
    }

    /// The board's place, normalised.
    func place(aspectRatio: Double) -> TossBoardPlace {
        func normalized(_ point: CGPoint) -> CGPoint { CGPoint(x: point.x / aspectRatio, y: point.y) }
        return TossBoardPlace(
            corners: corners.map(normalized), hole: normalized(hole), confidence: Float(max(0.61, 1 - 0.35 * error)))
    }
}
