import Foundation
import KinemaCore
public import KinemaMedia
import KinemaVision

/// Finds the board by its looks: a bright quadrilateral with a round dark hole where the rules put it.
///
/// Outlines of what is bright are found at several levels of brightness. One is a board when four straight edges make it
/// up and one of the outlines inside is, seen straight on by the map those edges give, a circle of the hole's size at the
/// hole's place.
public struct BoardFinder: Sendable {
    /// Says roughly where the board is; nil looks everywhere.
    public var detector: (any TossBoardDetector)?
    /// The board's measures.
    public let rules: TossRules

    /// The levels of brightness that are tried; nil is the one that splits the picture best.
    private static let pivots: [Float?] = [nil, 0.4, 0.55, 0.7, 0.85, 1]
    /// Spreads brightness as far as the request can, so that the levels are apart.
    private static let contrast: Float = 3

    /// Makes a finder; with a detector it looks only where that says.
    public init(rules: TossRules = TossRules(), detector: (any TossBoardDetector)? = nil) {
        self.rules = rules
        self.detector = detector
    }

    /// The board in a frame, nil when there is none to be seen; throws what the requests throw.
    public func board(in frame: VideoFrame) async throws -> TossBoardPlace? {
        var region = CGRect(x: 0, y: 0, width: 1, height: 1)
        if let detector {
            guard let found = try await detector.box(in: frame), found.confidence > rules.boardConfidence else {
                return nil
            }
            // A margin, so that the board's edges are inside.
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
                func places(_ points: [SIMD2<Float>]) -> [CGPoint] {
                    points.map { point in
                        CGPoint(
                            x: (region.minX + Double(point.x) * region.width) * aspectRatio,
                            y: region.minY + Double(point.y) * region.height)
                    }
                }
                let candidate = BoardCandidate(
                    outline: places(outline.normalizedPoints),
                    holes: outline.childContours.map { places($0.normalizedPoints) }, rules: rules)
                if let candidate { level.append(candidate) }
            }
            levels.append(level)
        }
        return Self.best(of: levels)?.place(aspectRatio: aspectRatio)
    }

    /// The best candidate that shows at two levels of brightness: a board stands out, what looks like one by chance, as a
    /// picture on a wall, does so at one.
    private static func best(of levels: [[BoardCandidate]]) -> BoardCandidate? {
        var best: BoardCandidate?
        for (index, level) in levels.enumerated() {
            let others = levels.enumerated().filter { $0.offset != index }.flatMap(\.element)
            for candidate in level where candidate.error < best?.error ?? .infinity {
                if others.contains(where: { $0.isAbout(candidate) }) { best = candidate }
            }
        }
        return best
    }
}
