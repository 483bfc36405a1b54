import KinemaImaging
import KinemaVision
package import Foundation
import KinemaCore
package import KinemaMedia

/// Finds the board by its appearance: a quadrilateral with a round hole at the position the rules give.
///
/// It traces outlines at several levels of brightness and colour. An outline is a board if four straight edges describe
/// it, also partly hidden, and another outline inside, rectified by their homography, is a circle of the hole's size
/// and position.
package struct BoardFinder: Sendable {
    /// The rough position of the board: normalised, origin at the lower left; nil searches the whole picture.
    let box: CGRect?
    let rules: TossRules

    /// The brightness levels to try, as pivots of the contrast; nil is the level that splits the picture best.
    private static let pivots: [Float?] = [nil, 0.05, 0.125, 0.2, 0.275, 0.35, 0.425, 0.5, 0.6, 0.7, 0.85, 1]
    private static let channelPivots: [Float?] = [nil, 0, 0.2, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 1]
    /// The strongest contrast the request offers, which keeps the levels apart.
    private static let contrast: Float = 3

    package init(rules: TossRules = TossRules(), box: CGRect? = nil) { (self.rules, self.box) = (rules, box) }

    /// Returns the board in a frame, nil if there is none; throws the errors of the requests. `mayFillPicture` also
    /// accepts a board filmed from above whose edges are the picture's.
    package func board(in frame: VideoFrame, mayFillPicture: Bool = false) throws -> TossBoardObservation? {
        var region = CGRect(x: 0, y: 0, width: 1, height: 1)
        if let box {
            // A margin keeps the board's edges inside the region.
            region = box.insetBy(dx: -0.1 * box.width, dy: -0.15 * box.height).intersection(region)
            guard !region.isNull, region.width > 0, region.height > 0 else { return nil }
        }
        var search = BoardSearch(aspectRatio: Double(frame.width) / Double(frame.height), rules: rules)
        try trace(frame, at: Self.pivots, in: region, &search)
        let whole = mayFillPicture && box == nil ? search.whole : nil
        if let found = search.best() { return (whole?.confidence ?? 0) > found.confidence ? whole : found }
        for channel in BoardChannel.allCases {
            try trace(try channel.picture(of: frame), at: Self.channelPivots, in: region, &search)
        }
        // Prefer a board in full view to one with a hidden corner, which leaves more to chance.
        return search.best() ?? whole ?? search.best(extended: true)
    }

    private func trace(
        _ frame: VideoFrame, at pivots: [Float?], in region: CGRect, _ search: inout BoardSearch
    ) throws {
        for pivot in pivots {
            var request = DetectContoursRequest()
            request.regionOfInterest = NormalizedRect(
                x: region.minX, y: region.minY, width: region.width, height: region.height)
            request.contrastAdjustment = Self.contrast
            request.contrastPivot = pivot
            request.detectsDarkOnLight = false
            request.maximumImageDimension = max(frame.width, frame.height)
            let outlines = try request.contours(in: frame)
            let level = (0..<outlines.contourCount).compactMap { outlines.contourAtIndex($0) }.map { outline in
                outline.normalizedPoints.map { point in
                    CGPoint(
                        x: (region.minX + Double(point.x) * region.width) * search.aspectRatio,
                        y: region.minY + Double(point.y) * region.height)
                }
            }
            search.add(level)
        }
    }
}

/// A channel in which a board without brightness contrast stands out.
enum BoardChannel: CaseIterable {
    /// The brightness of dark areas, amplified: for the hole in a dark board.
    case shade
    /// The excess of blue and of red over grey, which is 0.5: for a board as bright as the ground.
    case blue, red

    private static let gain = 3

    func picture(of frame: VideoFrame) throws -> VideoFrame {
        var bitmap = try frame.bitmap()
        for pixel in stride(from: 0, to: bitmap.pixels.count - 3, by: 4) {
            let (blue, green, red) = (
                Int(bitmap.pixels[pixel]), Int(bitmap.pixels[pixel + 1]), Int(bitmap.pixels[pixel + 2])
            )
            // Of BT.601, in 256ths.
            let luma = (77 * red + 150 * green + 29 * blue) >> 8
            let value =
                switch self {
                case .shade: Self.gain * luma
                case .blue: 128 + blue - luma
                case .red: 128 + red - luma
                }
            let byte = UInt8(min(max(value, 0), 255))
            for channel in 0..<3 { bitmap.pixels[pixel + channel] = byte }
        }
        return VideoFrame(bitmap: bitmap, id: frame.id)
    }
}
