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
    /// How long before the release the ground is looked at, seconds.
    private static let memory = 2.0
    /// When after the landing the bag lies still, seconds.
    private static let still = 0.4...0.8
    /// A change of colour that is a thing, in steps of 255: bags are made to be seen.
    private static let contrast: Float = 26

    /// The landing, and where in the picture (normalised, origin at the lower left) the bag ended.
    func landing(
        of field: TossField, ground: [(time: TimeInterval, view: BoardSurroundings)], since start: TimeInterval
    ) -> (landing: TossLanding, point: CGPoint, resting: TossField.Resting?) {
        let guess = field.landing()
        guard let flat = map(), let views = views(ground, start: start, end: guess.time) else {
            return (guess.landing, guess.point, nil)
        }
        let late = stride(from: guess.time - 0.25, through: guess.time + 0.2, by: 0.01).map { field.point(at: $0) }
        if let thing = newThing(views, near: late) {
            let spot = flat(centred(thing))
            let isOn = abs(spot.x) <= rules.boardLength / 2 + 0.03 && abs(spot.y) <= rules.boardWidth / 2 + 0.03
            return (isOn ? .board : .off, thing, isOn ? .face(spot) : .ground(thing))
        }
        let hole = CGPoint(x: rules.boardLength / 2 - rules.holeInset, y: 0)
        let nearest = late.map { point -> (gap: Double, point: CGPoint) in
            let spot = flat(centred(point))
            return (hypot(spot.x - hole.x, spot.y - hole.y), point)
        }.min { $0.gap < $1.gap }
        if let nearest, nearest.gap < Self.holeReach { return (.hole, nearest.point, .face(hole)) }
        return (.off, guess.point, nil)
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

    /// The ground before the release, right after the landing, and a moment later.
    private struct Views {
        let before: ColorGrid
        let earlier: ColorGrid
        let after: ColorGrid
        let last: BoardSurroundings
    }

    /// What passes by before the throw is not in the picture of the ground that most of two seconds show.
    private func views(
        _ ground: [(time: TimeInterval, view: BoardSurroundings)], start: TimeInterval, end: TimeInterval
    ) -> Views? {
        func grids(_ range: ClosedRange<TimeInterval>) -> [ColorGrid] {
            ground.filter { range.contains($0.time) }.map(\.view.grid)
        }
        let late = ground.filter { (end + Self.still.lowerBound...end + Self.still.upperBound).contains($0.time) }
        guard let last = late.last?.view, let first = late.first?.view,
            ground.allSatisfy({ $0.view.grid.cells.count == last.grid.cells.count }),
            let before = ColorGrid.median(grids(start - Self.memory...start + 0.1)),
            let earlier = ColorGrid.mean([first.grid]), let after = ColorGrid.median(late.map(\.view.grid))
        else { return nil }
        return Views(before: before, earlier: earlier, after: after, last: last)
    }

    /// The middle of the new thing that lies nearest to where the path comes down.
    private func newThing(_ views: Views, near path: [CGPoint]) -> CGPoint? {
        let edge = board.edgeLength(aspectRatio: aspectRatio)
        let face = abs(Polyline.area(board.corners.map { CGPoint(x: $0.x * aspectRatio, y: $0.y) }))
        let cell = views.last.region.height / Double(views.last.grid.rows)
        let bag = face * BoardWatch.bagShare / (cell * cell)
        let reach = Self.slide * edge / rules.boardLength
        let comparison = StillComparison(
            before: views.before, after: views.after, earlier: views.earlier, contrast: Self.contrast)
        let things = comparison.appeared(atLeast: 0.35 * bag).filter { Double($0.cells.count) < 5 * bag }
            .map { views.last.place(of: $0) }
        func gap(_ thing: CGPoint) -> Double {
            path.map { hypot(($0.x - thing.x) * aspectRatio, $0.y - thing.y) }.min() ?? .infinity
        }
        return things.filter { gap($0) < reach }.min { gap($0) < gap($1) }
    }
}
