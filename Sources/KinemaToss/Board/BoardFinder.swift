public import Foundation
public import KinemaCore
public import KinemaMedia
import KinemaVision

/// Finds the board by its appearance: a bright quadrilateral with a round dark hole at the position the rules give.
///
/// It traces bright outlines at several brightness levels. An outline is a board if four straight edges describe it and
/// one of the outlines inside, rectified by the homography those edges give, is a circle of the hole's size in the
/// hole's position.
public struct BoardFinder: Sendable {
    /// Gives the rough position of the board; nil searches the whole picture.
    public var detector: (any TossBoardDetector)?
    /// The board's dimensions.
    public let rules: TossRules

    /// The brightness levels to try; nil is the level that splits the picture best.
    private static let pivots: [Float?] = [nil, 0.4, 0.55, 0.7, 0.85, 1]
    /// The strongest contrast the request offers, which keeps the levels apart.
    private static let contrast: Float = 3

    /// Makes a finder; with a detector, it searches only the detector's box.
    public init(rules: TossRules = TossRules(), detector: (any TossBoardDetector)? = nil) {
        self.rules = rules
        self.detector = detector
    }

    /// Returns the board in a frame, nil if there is none; throws the errors of the requests.
    public func board(in frame: VideoFrame) async throws -> TossBoardObservation? {
        var region = CGRect(x: 0, y: 0, width: 1, height: 1)
        if let detector {
            guard let found = try await detector.box(in: frame), found.confidence > rules.boardConfidence else {
                return nil
            }
            // A margin keeps the board's edges inside the region.
            region = found.box.insetBy(dx: -0.1 * found.box.width, dy: -0.15 * found.box.height).intersection(region)
            guard !region.isNull, region.width > 0, region.height > 0 else { return nil }
        }
        let aspectRatio = Double(frame.width) / Double(frame.height)
        var levels: [[BoardCandidate]] = []
        for pivot in Self.pivots {
            var level: [BoardCandidate] = []
            var request = DetectContoursRequest()
            request.regionOfInterest = NormalizedRect(
                x: region.minX, y: region.minY, width: region.width, height: region.height)
            request.contrastAdjustment = Self.contrast
            request.contrastPivot = pivot
            request.detectsDarkOnLight = false
            request.maximumImageDimension = max(frame.width, frame.height)
            let outlines = try await request.perform(on: frame)
            for index in 0..<outlines.contourCount {
                guard let outline = outlines.contourAtIndex(index), outline.pointCount >= 8,
                    !outline.childContours.isEmpty
                else { continue }
                func imagePoints(_ points: [SIMD2<Float>]) -> [CGPoint] {
                    points.map { point in
                        CGPoint(
                            x: (region.minX + Double(point.x) * region.width) * aspectRatio,
                            y: region.minY + Double(point.y) * region.height)
                    }
                }
                let candidate = BoardCandidate(
                    outline: imagePoints(outline.normalizedPoints),
                    holes: outline.childContours.map { imagePoints($0.normalizedPoints) }, rules: rules)
                if let candidate { level.append(candidate) }
            }
            levels.append(level)
        }
        return Self.best(of: levels)?.observation(aspectRatio: aspectRatio)
    }

    /// The best candidate that appears at two brightness levels. A board stands out at several; a chance resemblance,
    /// such as a picture on a wall, appears at one.
    private static func best(of levels: [[BoardCandidate]]) -> BoardCandidate? {
        var best: BoardCandidate?
        for (index, level) in levels.enumerated() {
            let others = levels.enumerated().filter { $0.offset != index }.flatMap(\.element)
            for candidate in level where candidate.error < best?.error ?? .infinity {
                if others.contains(where: { $0.matches(candidate) }) { best = candidate }
            }
        }
        return best
    }
}

/// An outline that could be the board: four straight edges and a round hole in the right position.
struct BoardCandidate {
    /// The corners in order, in picture heights.
    let corners: [CGPoint]
    let hole: CGPoint
    /// How far the hole and the edges are from the ideal, 0 for a perfect board.
    let error: Double

    /// The smallest area of a board, in squared picture heights.
    private static let minimumArea = 0.0015
    /// How far the hole may be off its position, as a share of its diameter.
    private static let maximumHoleOffset = 0.8
    /// How far the hole may be from a circle: the deviation of its radius as a share of the radius.
    private static let maximumHoleDeviation = 0.3

    /// Tests an outline and the outlines in it (picture heights, y up); nil if it is not a board.
    init?(outline: [CGPoint], holes: [[CGPoint]], rules: TossRules) {
        let area = abs(Polyline.area(outline))
        guard area > Self.minimumArea, let rough = Polyline.quadrilateral(outline) else { return nil }
        let fitted = Polyline.straightened(rough, along: outline)
        let fullArea = abs(Polyline.area(fitted))
        // Nothing is cut off and nothing sticks out.
        guard fullArea > 0, (0.88...1.08).contains(area / fullArea) else { return nil }
        let corners = Polyline.area(fitted) < 0 ? Array(fitted.reversed()) : fitted
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
        error = best.error + abs(1 - area / fullArea)
    }

    /// The error of a rectified hole, in metres of the face, against the real one; nil if it is not the hole.
    private static func error(of hole: [CGPoint], rules: TossRules) -> Double? {
        guard hole.count >= 6, hole.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        let centre = Polyline.centroid(hole)
        let offset =
            hypot(centre.x - rules.holeCentre.x, centre.y) / rules.holeDiameter
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

    /// The board in normalised coordinates.
    func observation(aspectRatio: Double) -> TossBoardObservation {
        func normalized(_ point: CGPoint) -> CGPoint { CGPoint(x: point.x / aspectRatio, y: point.y) }
        return TossBoardObservation(
            corners: corners.map(normalized), hole: normalized(hole), confidence: Float(max(0.61, 1 - 0.35 * error)))
    }
}

/// The board and the ground around it in one frame, reduced to small cells; shows where bags come to rest.
public struct BoardSurroundings: Sendable {
    /// The part of the picture it covers: normalised, origin at the lower left.
    public let region: CGRect
    /// Its cells.
    public let grid: ColorGrid

    /// Makes surroundings from a region (normalised, origin at the lower left) and its cells.
    public init(region: CGRect, grid: ColorGrid) {
        self.region = region
        self.grid = grid
    }

    /// Crops the surroundings of a board from a picture: about a board's length to each side.
    public init(of board: TossBoardObservation, in bitmap: Bitmap) {
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
