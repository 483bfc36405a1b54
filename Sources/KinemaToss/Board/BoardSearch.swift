public import Foundation
import KinemaCore

/// Looks for the board among the outlines of a picture, in picture heights (y up). The outline and the hole may come
/// from different levels.
struct BoardSearch: Sendable {
    let aspectRatio: Double
    private let rules: TossRules
    /// Quadrilaterals, each with the level at which it was seen and the outline it came from.
    private var quads: [(corners: [CGPoint], outline: [CGPoint], hullArea: Double, level: Int, isExtended: Bool)] = []
    /// Small outlines, which may be the hole.
    private var spots: [(outline: [CGPoint], centre: CGPoint, area: Double)] = []
    private var levels = 0

    /// The smallest area of a board, in squared picture heights.
    private static let minimumArea = 0.0015
    /// The hole's share of the face is 0.024; flat views and the hole's rim change it.
    private static let holeShares = 0.006...0.08
    /// The share of a board's edges that must be seen, 0...1.
    private static let minimumSupport = 0.6
    /// The number of best candidates that are fitted in space.
    private static let mostFits = 4
    /// The largest misfit of a board in space, half the sum of squared standard errors: rendered boards stay below 16,
    /// others are beyond 85.
    private static let maximumMisfit = 40.0
    /// The largest error of a board: rendered ones stay below 0.65, a print on a real board is beyond 1.
    private static let maximumError = 0.8
    /// The largest error of a board seen from above: rendered boards are below, spotted floors and walls beyond 0.6.
    private static let maximumErrorFromAbove = 0.35
    /// The aspect ratios of a board that fills the picture: about 2, but not the 16:9 of cameras.
    private static let wholeShapes = 1.85...2.3
    /// The largest error of a board that fills the picture: a real one stays below it.
    private static let maximumErrorOfWhole = 0.6

    init(aspectRatio: Double, rules: TossRules) { (self.aspectRatio, self.rules) = (aspectRatio, rules) }

    mutating func add(_ outlines: [[CGPoint]]) {
        for outline in outlines where outline.count >= 6 {
            let area = abs(Polyline.area(outline))
            if area > Self.minimumArea * Self.holeShares.lowerBound {
                spots.append((outline, Polyline.centroid(outline), area))
            }
            guard let box = CGRect(around: outline), box.width * box.height > Self.minimumArea else { continue }
            let hull = Polyline.hull(outline)
            let hullArea = abs(Polyline.area(hull))
            guard hullArea > Self.minimumArea else { continue }
            for (index, rough) in Polyline.quadrilaterals(around: hull).enumerated() {
                quads.append((Polyline.straightened(rough, along: outline), outline, hullArea, levels, index > 0))
            }
        }
        levels += 1
    }

    /// The best board that appears at two levels, which excludes chance; `extended` allows a hidden corner.
    func best(extended: Bool = false) -> TossBoardObservation? {
        let candidates = quads.filter { extended || !$0.isExtended }.compactMap { quad in
            candidate(quad).map { (candidate: $0, level: quad.level) }
        }
        .sorted { $0.candidate.error < $1.candidate.error }
        var fits = 0
        for (candidate, level) in candidates {
            let isLarge = candidate.area > rules.largestBoard * aspectRatio
            guard candidate.error < (isLarge ? Self.maximumErrorFromAbove : Self.maximumError),
                candidates.contains(where: { $0.level != level && $0.candidate.matches(candidate) })
            else { continue }
            let observation = candidate.observation(aspectRatio: aspectRatio)
            if isLarge || isFlat(observation) { return observation }
            fits += 1
            if fits == Self.mostFits { return nil }
        }
        return nil
    }

    /// The board that fills the whole picture; nil unless the hole is in place.
    var whole: TossBoardObservation? {
        guard Self.wholeShapes.contains(max(aspectRatio, 1 / aspectRatio)) else { return nil }
        let corners = CGRect(x: 0, y: 0, width: aspectRatio, height: 1).corners
        let candidate = BoardCandidate(
            corners: corners, roughness: 0, holes: holes(in: corners, area: aspectRatio), rules: rules)
        guard let candidate, candidate.error < Self.maximumErrorOfWhole else { return nil }
        return candidate.observation(aspectRatio: aspectRatio)
    }

    private func candidate(
        _ quad: (corners: [CGPoint], outline: [CGPoint], hullArea: Double, level: Int, isExtended: Bool)
    ) -> BoardCandidate? {
        let area = abs(Polyline.area(quad.corners))
        // Hidden parts are missing from the hull, and nothing protrudes.
        guard area > 0, (0.75...1.08).contains(quad.hullArea / area) else { return nil }
        let holes = holes(in: quad.corners, area: area)
        guard !holes.isEmpty else { return nil }
        guard Polyline.support(of: quad.corners, by: quad.outline) > Self.minimumSupport else { return nil }
        // The share cut out of the outline or protruding.
        let roughness = abs(1 - abs(Polyline.area(quad.outline)) / area)
        return BoardCandidate(corners: quad.corners, roughness: roughness, holes: holes, rules: rules)
    }

    /// The outlines within a quadrilateral that are the right size for its hole.
    private func holes(in corners: [CGPoint], area: Double) -> [[CGPoint]] {
        spots.filter { Self.holeShares.contains($0.area / area) && Polyline.contains($0.centre, corners) }.map(
            \.outline)
    }

    /// Whether the board, seen by a level camera, lies nearly flat with level short edges.
    private func isFlat(_ observation: TossBoardObservation) -> Bool {
        guard let correspondences = BoardCorrespondences(observation, aspectRatio: aspectRatio, rules: rules) else {
            return false
        }
        return TossField.misfit(of: correspondences) < Self.maximumMisfit
    }
}

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

/// The board and the ground around it in one frame, reduced to small cells; shows where bags come to rest.
struct BoardSurroundings: Sendable {
    /// The part of the picture it covers: normalised, origin at the lower left.
    let region: CGRect
    let grid: ColorGrid

    /// Crops the surroundings of a board from a picture: about a board's length to each side.
    init(of board: TossBoardObservation, in bitmap: Bitmap) {
        let box = board.box
        let aspectRatio = Double(bitmap.width) / Double(bitmap.height)
        let reach = board.edgeLength(aspectRatio: aspectRatio)
        let wanted = box.insetBy(dx: -1.1 * reach / aspectRatio, dy: -0.45 * reach)
        let left = min(max(Int(wanted.minX * Double(bitmap.width)), 0), bitmap.width - 2)
        let right = min(max(Int(wanted.maxX * Double(bitmap.width)), left + 2), bitmap.width)
        let top = min(max(Int((1 - wanted.maxY) * Double(bitmap.height)), 0), bitmap.height - 2)
        let bottom = min(max(Int((1 - wanted.minY) * Double(bitmap.height)), top + 2), bitmap.height)
        let grid = ColorGrid(bitmap, columns: left..<right, rows: top..<bottom, side: 2)
        // A last odd row or column fills no cell.
        let (width, height) = (Double(grid.columns * 2), Double(grid.rows * 2))
        region = CGRect(
            x: Double(left) / Double(bitmap.width), y: 1 - (Double(top) + height) / Double(bitmap.height),
            width: width / Double(bitmap.width), height: height / Double(bitmap.height))
        self.grid = grid
    }

    /// The centroid of a blob in the whole picture: normalised, origin at the lower left.
    func location(of blob: CellBlob) -> CGPoint {
        CGPoint(x: region.minX + blob.x * region.width, y: region.minY + (1 - blob.y) * region.height)
    }
}

/// The board as detected in the picture: normalised, origin at the lower left.
public struct TossBoardObservation: Sendable, Hashable {
    /// The four corners of its face in order around it.
    public var corners: [CGPoint]
    /// The centre of the hole; nil if it was not seen.
    public var hole: CGPoint?
    /// The confidence, 0...1.
    public var confidence: Float

    package init(corners: [CGPoint], hole: CGPoint?, confidence: Float = 1) {
        (self.corners, self.hole, self.confidence) = (corners, hole, confidence)
    }

    init(box: CGRect) { self.init(corners: box.corners, hole: nil) }

    package var box: CGRect { CGRect(around: corners) ?? .zero }

    var area: Double { abs(Polyline.area(corners)) }

    /// The length of the longest edge in picture heights; `aspectRatio` is width divided by height.
    package func edgeLength(aspectRatio: Double) -> Double {
        corners.indices.map { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return hypot((b.x - a.x) * aspectRatio, b.y - a.y)
        }.max() ?? 0
    }
}
