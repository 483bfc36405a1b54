import Foundation

/// Tells where a bag ended up: by what lies on the board and around it that lay not there before, and by the path.
///
/// The picture tells exactly along which line a bag came down but, seen from the side, hardly how far away on that line.
/// So what can be seen afterwards decides: a new thing on the board, a new thing beside it, or nothing new where the path
/// crosses the hole. Without a view of the ground the path alone has to do.
struct LandingJudge {
    let board: TossBoardPlace
    let aspectRatio: Double
    let rules: TossRules

    /// Half a bag's thickness, metres: what lies there is seen higher than the face by it.
    private static let bagRadius = 0.03
    /// How far a bag may lie from where it came down, metres: it slides.
    private static let slide = 0.8
    /// How near the hole's middle the path passes over the face, metres, when the bag goes in: a bag is 15 cm wide.
    private static let holeReach = 0.2
    /// A change of colour that is a thing, in steps of 255: bags are made to be seen.
    private static let contrast: Float = 26

    /// The landing, and where in the picture (normalised, origin at the lower left) the bag ended.
    func landing(
        of field: TossField, ground: [(time: TimeInterval, view: BoardSurroundings)], since start: TimeInterval
    ) -> (landing: TossLanding, point: CGPoint) {
        let guess = field.landing()
        guard let flat = map(), let views = stillViews(ground, start: start, end: guess.time) else {
            return (guess.landing, guess.point)
        }
        let late = stride(from: guess.time - 0.25, through: guess.time + 0.2, by: 0.01).map { field.point(at: $0) }
        if let thing = newThing(views, near: late) {
            let spot = flat(centred(thing))
            let isOn = abs(spot.x) <= rules.boardLength / 2 + 0.03 && abs(spot.y) <= rules.boardWidth / 2 + 0.03
            return (isOn ? .board : .off, thing)
        }
        let hole = CGPoint(x: rules.boardLength / 2 - rules.holeInset, y: 0)
        let nearest = late.map { point -> (gap: Double, point: CGPoint) in
            let spot = flat(centred(point))
            return (hypot(spot.x - hole.x, spot.y - hole.y), point)
        }.min { $0.gap < $1.gap }
        if let nearest, nearest.gap < Self.holeReach { return (.hole, nearest.point) }
        return (.off, guess.point)
    }

    /// From the picture (picture heights) to the level of things that lie on the face (metres along and across).
    private func map() -> Homography? {
        guard let sight = BoardSight(board, aspectRatio: aspectRatio, rules: rules), sight.marks.count >= 4 else {
            return nil
        }
        let rise = Self.bagRadius / sight.length * sight.edge
        let corners = sight.marks.prefix(4)
        return Homography(
            from: corners.map { CGPoint(x: $0.place.x, y: $0.place.y + rise) }, to: corners.map(\.mark))
    }

    private func centred(_ point: CGPoint) -> CGPoint {
        CGPoint(x: (point.x - 0.5) * aspectRatio, y: point.y - 0.5)
    }

    /// The ground at rest before the release and after the landing.
    private func stillViews(
        _ ground: [(time: TimeInterval, view: BoardSurroundings)], start: TimeInterval, end: TimeInterval
    ) -> (before: BoardSurroundings, after: BoardSurroundings)? {
        func mean(_ range: ClosedRange<TimeInterval>) -> BoardSurroundings? {
            let views = ground.filter { range.contains($0.time) }.map(\.view)
            guard let first = views.first, views.allSatisfy({ $0.grid.cells.count == first.grid.cells.count }),
                let grid = ColorGrid.mean(views.map(\.grid))
            else { return nil }
            return BoardSurroundings(region: first.region, grid: grid)
        }
        guard let before = mean(start - 0.35...start + 0.1), let after = mean(end + 0.4...end + 0.75) else {
            return nil
        }
        return (before, after)
    }

    /// The middle of the new thing that lies nearest to where the path comes down.
    private func newThing(_ views: (before: BoardSurroundings, after: BoardSurroundings), near path: [CGPoint])
        -> CGPoint?
    {
        let edge = board.edgeLength(aspectRatio: aspectRatio)
        let face = abs(Polyline.area(board.corners.map { CGPoint(x: $0.x * aspectRatio, y: $0.y) }))
        let cell = views.after.region.height / Double(views.after.grid.rows)
        let bag = face * BoardWatch.bagShare / (cell * cell)
        let reach = Self.slide * edge / rules.boardLength
        let comparison = StillComparison(
            before: views.before.grid, after: views.after.grid, contrast: Self.contrast)
        let things = comparison.appeared(atLeast: 0.35 * bag).filter { Double($0.cells.count) < 5 * bag }
            .map { views.after.place(of: $0) }
        func gap(_ thing: CGPoint) -> Double {
            path.map { hypot(($0.x - thing.x) * aspectRatio, $0.y - thing.y) }.min() ?? .infinity
        }
        return things.filter { gap($0) < reach }.min { gap($0) < gap($1) }
    }
}
