import Foundation

struct BoardCorrespondences: Sendable {
    /// The pairs: metres along and across from the face's centre, and picture heights from the picture's centre.
    let pairs: [(board: CGPoint, image: CGPoint)]
    /// The board's length, in metres and as it appears in picture heights.
    let length: Double
    let imageLength: Double
    /// The centre of the face, in picture heights from the picture's centre.
    let centre: CGPoint
    /// The rough direction of the board's length away from the player: 0 to the right, pi to the left.
    let yaw: Double

    /// Identifies the corners by the hole near the far end; without a hole, the far end is away from the picture's
    /// centre.
    init?(_ observation: TossBoardObservation, aspectRatio: Double, rules: TossRules) {
        guard observation.corners.count == 4 else { return nil }
        let image = observation.corners.map { $0.centred(aspectRatio: aspectRatio) }
        let corners: [CGPoint] = Polyline.area(image) < 0 ? image.reversed() : image
        let hole = observation.hole?.centred(aspectRatio: aspectRatio)
        let face = rules.boardCorners
        let centre = Polyline.mean(corners)
        var best: (error: Double, corners: [CGPoint])?
        for shift in 0..<4 {
            let rotated = Array(corners[shift...] + corners[..<shift])
            guard let map = Homography(from: face, to: rotated) else { return nil }
            let error: Double
            if let hole {
                let projected = map(rules.holeCentre)
                error = hypot(projected.x - hole.x, projected.y - hole.y)
            } else {
                let far = (rotated[1].x + rotated[2].x) / 2 - centre.x
                error = -far * (centre.x < 0 ? -1 : 1)
            }
            if error < best?.error ?? .infinity { best = (error, rotated) }
        }
        guard let best else { return nil }
        var pairs = zip(face, best.corners).map { (board: $0, image: $1) }
        if let hole { pairs.append((rules.holeCentre, hole)) }
        (self.pairs, self.centre) = (pairs, centre)
        length = rules.boardLength
        let near = Polyline.mean([best.corners[0], best.corners[3]])
        let far = Polyline.mean([best.corners[1], best.corners[2]])
        imageLength = hypot(far.x - near.x, far.y - near.y)
        yaw = far.x >= near.x ? 0 : .pi
    }
}

extension CGPoint {
    /// A normalised point in picture heights from the centre of the picture.
    func centred(aspectRatio: Double) -> CGPoint { CGPoint(x: (x - 0.5) * aspectRatio, y: y - 0.5) }
}

extension TossRules {
    /// The corners of the board's face in order around it, in metres from its centre along and across.
    var boardCorners: [CGPoint] {
        let (l, w) = (boardLength / 2, boardWidth / 2)
        return [CGPoint(x: -l, y: -w), CGPoint(x: l, y: -w), CGPoint(x: l, y: w), CGPoint(x: -l, y: w)]
    }
    /// The centre of the hole on the face, likewise.
    var holeCentre: CGPoint { CGPoint(x: boardLength / 2 - holeInset, y: 0) }
}
