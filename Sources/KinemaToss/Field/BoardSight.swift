import Foundation

/// Which point of the board is seen where.
struct BoardSight: Sendable {
    /// Metres from the face's middle along and across it, and picture heights from the picture's middle.
    let marks: [(mark: CGPoint, place: CGPoint)]
    /// The board's length, metres, and how long it appears, picture heights.
    let length: Double
    let edge: Double
    /// The face's middle, picture heights from the picture's middle.
    let middle: CGPoint
    /// The direction of the board's length away from the player, roughly: 0 to the right, pi to the left.
    let yaw: Double

    /// Tells the corners apart by the hole, which lies near the far end; without one the far end is away from the middle.
    init?(_ place: TossBoardPlace, aspectRatio: Double, rules: TossRules) {
        guard place.corners.count == 4 else { return nil }
        func centred(_ point: CGPoint) -> CGPoint {
            CGPoint(x: (point.x - 0.5) * aspectRatio, y: point.y - 0.5)
        }
        let corners = Self.counterclockwise(place.corners.map(centred))
        let (l, w) = (rules.boardLength / 2, rules.boardWidth / 2)
        let face = [CGPoint(x: -l, y: -w), CGPoint(x: l, y: -w), CGPoint(x: l, y: w), CGPoint(x: -l, y: w)]
        let holeMark = CGPoint(x: l - rules.holeInset, y: 0)
        let middle = CGPoint(x: corners.map(\.x).reduce(0, +) / 4, y: corners.map(\.y).reduce(0, +) / 4)
        var best: (error: Double, corners: [CGPoint])?
        for shift in 0..<4 {
            let turned = Array(corners[shift...] + corners[..<shift])
            guard let map = Homography(from: face, to: turned) else { return nil }
            let error: Double
            if let hole = place.hole.map(centred) {
                error = hypot(map(holeMark).x - hole.x, map(holeMark).y - hole.y)
            } else {
                let far = (turned[1].x + turned[2].x) / 2 - middle.x
                error = -far * (middle.x < 0 ? -1 : 1)
            }
            if error < best?.error ?? .infinity { best = (error, turned) }
        }
        guard let best else { return nil }
        var marks = zip(face, best.corners).map { (mark: $0, place: $1) }
        if let hole = place.hole { marks.append((holeMark, centred(hole))) }
        self.marks = marks
        self.middle = middle
        length = rules.boardLength
        let (near, far) = (
            Self.between(best.corners[0], best.corners[3]), Self.between(best.corners[1], best.corners[2])
        )
        edge = hypot(far.x - near.x, far.y - near.y)
        yaw = far.x >= near.x ? 0 : .pi
    }

    private static func between(_ a: CGPoint, _ b: CGPoint) -> CGPoint {
        CGPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
    }

    private static func counterclockwise(_ corners: [CGPoint]) -> [CGPoint] {
        var area = 0.0
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            area += a.x * b.y - b.x * a.y
        }
        return area < 0 ? corners.reversed() : corners
    }
}
