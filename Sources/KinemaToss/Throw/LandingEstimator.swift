import Foundation

/// Estimates a bag's landing from new objects on and around the board and from the bag's path.
///
/// From the side, the picture hardly shows the distance along the line of sight. So a new object on the board or beside
/// it decides, or nothing new although the path crosses the hole; without a view of the ground, the path alone.
struct LandingEstimator {
    let board: TossBoardObservation
    let aspectRatio: Double
    let rules: TossRules

    /// The maximum slide after the landing, in metres.
    private static let maximumSlide = 0.8
    /// The maximum distance of a path from the hole's centre for a bag of 15 cm to go in, in metres.
    private static let holeReach = 0.2
    /// The length of the ground's history before the release, in seconds.
    private static let lookback = 2.0
    /// The time at which the bag lies still, in seconds after the landing.
    private static let restWindow = 0.4...0.8
    /// The change of colour that makes a new object, in steps of 255: bags have strong colours.
    private static let contrast: Float = 26

    /// Returns the landing, the end in the picture (normalised, origin at the lower left) and the resting position.
    func landing(
        of field: TossField, ground: [(time: TimeInterval, view: BoardSurroundings)], since start: TimeInterval
    ) -> (landing: TossLanding, point: CGPoint, resting: TossField.RestingPosition?) {
        let guess = field.landing()
        guard let rectify = rectification(), let (scene, last) = change(of: ground, start: start, end: guess.time)
        else { return (guess.landing, guess.point, nil) }
        let late = stride(from: guess.time - 0.25, through: guess.time + 0.2, by: 0.01).map { field.point(at: $0) }
        if let object = newObject(scene, in: last, near: late) {
            let local = rectify(object.centred(aspectRatio: aspectRatio))
            let isOn = abs(local.x) <= rules.boardLength / 2 + 0.03 && abs(local.y) <= rules.boardWidth / 2 + 0.03
            return (isOn ? .board : .off, object, isOn ? .face(local) : .ground(object))
        }
        let hole = rules.holeCentre
        let nearest = late.map { point -> (distance: Double, point: CGPoint) in
            let local = rectify(point.centred(aspectRatio: aspectRatio))
            return (hypot(local.x - hole.x, local.y - hole.y), point)
        }.min { $0.distance < $1.distance }
        if let nearest, nearest.distance < Self.holeReach { return (.hole, nearest.point, .face(hole)) }
        return (.off, guess.point, nil)
    }

    /// The map from the picture (picture heights) to the plane of objects on the face (metres along and across).
    private func rectification() -> Homography? {
        guard let correspondences = BoardCorrespondences(board, aspectRatio: aspectRatio, rules: rules) else {
            return nil
        }
        // A bag appears above the face by half its thickness.
        let rise = TossField.bagRadius / correspondences.length * correspondences.imageLength
        let corners = correspondences.pairs.prefix(4)
        return Homography(
            from: corners.map { CGPoint(x: $0.image.x, y: $0.image.y + rise) }, to: corners.map(\.board))
    }

    /// The change of the ground from before the release to a moment after the landing, and its last view. The median
    /// over two seconds before the throw hides passing objects.
    private func change(
        of ground: [(time: TimeInterval, view: BoardSurroundings)], start: TimeInterval, end: TimeInterval
    ) -> (SceneChange, last: BoardSurroundings)? {
        func grids(_ range: ClosedRange<TimeInterval>) -> [ColorGrid] {
            ground.filter { range.contains($0.time) }.map(\.view.grid)
        }
        let late = ground.filter {
            (end + Self.restWindow.lowerBound...end + Self.restWindow.upperBound).contains($0.time)
        }
        guard let last = late.last?.view, let first = late.first?.view,
            ground.allSatisfy({ $0.view.grid.cells.count == last.grid.cells.count }),
            let before = ColorGrid.median(grids(start - Self.lookback...start + 0.1)),
            let after = ColorGrid.median(late.map(\.view.grid))
        else { return nil }
        return (SceneChange(before: before, after: after, earlier: first.grid, contrast: Self.contrast), last)
    }

    /// The position of the new object nearest to where the path comes down.
    private func newObject(_ change: SceneChange, in last: BoardSurroundings, near path: [CGPoint]) -> CGPoint? {
        let edge = board.edgeLength(aspectRatio: aspectRatio)
        let face = abs(Polyline.area(board.corners.map { CGPoint(x: $0.x * aspectRatio, y: $0.y) }))
        let cell = last.region.height / Double(last.grid.rows)
        let bag = face * BagArrivalDetector.bagShare / (cell * cell)
        let reach = Self.maximumSlide * edge / rules.boardLength
        let objects = change.newObjects(atLeast: 0.35 * bag).filter { Double($0.cells.count) < 5 * bag }
            .map { last.location(of: $0) }
        func distance(_ object: CGPoint) -> Double {
            path.map { hypot(($0.x - object.x) * aspectRatio, $0.y - object.y) }.min() ?? .infinity
        }
        return objects.filter { distance($0) < reach }.min { distance($0) < distance($1) }
    }
}
