import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds the outlines of dark or light areas in a picture.
public struct DetectContoursRequest: ImageProcessingRequest {
    /// The generations of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The only one there is.
        case revision1
    }

    /// The generation in use.
    public let revision: Revision
    /// The part of the picture that is searched: 0...1, origin at the lower left; the outlines count from it.
    public var regionOfInterest = NormalizedRect.fullImage
    /// How much brightness is spread around the pivot before dark is told from light at one half: 0...3, 2 by default.
    public var contrastAdjustment: Float = 2
    /// The brightness that the adjustment leaves as it is, 0...1, 0.5 by default; nil finds the best split by itself.
    public var contrastPivot: Float? = 0.5
    /// Whether outlines are drawn around what is dark, not around what is light.
    public var detectsDarkOnLight = true
    /// The longer side of the picture that is searched, in pixels, at least 64, 512 by default; larger ones are shrunk.
    public var maximumImageDimension = 512

    /// The generations that are supported.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Makes a request.
    public init(_ revision: Revision? = nil) {
        self.revision = revision ?? .revision1
    }

    /// The outlines in a frame, with their nesting.
    public func perform(on frame: VideoFrame) async throws -> ContoursObservation {
        try Task.checkCancellation()
        let raster = raster(of: frame)
        let tree = ContourTree(
            BorderFollower.borders(of: raster), width: raster.width, height: raster.height)
        return ContoursObservation(tree, timeRange: frame.isPicture ? nil : frame.id.rangeInSeconds)
    }

    /// The picture of two values that is searched.
    func raster(of frame: VideoFrame) -> BinaryRaster {
        let picture = GrayPicture(
            frame, in: regionOfInterest, maximumDimension: max(64, maximumImageDimension))
        return BinaryRaster(
            picture,
            isForeground: BrightnessSplit(
                of: picture, contrast: contrastAdjustment, pivot: contrastPivot, takesDark: detectsDarkOnLight))
    }
}

/// Where dark ends and light begins, and which of the two is looked for.
struct BrightnessSplit: Sendable, Equatable {
    /// The lowest brightness (0...255) that counts as light; nil when the picture is all the same.
    let firstLight: UInt8?
    /// Whether the dark pixels are looked for, not the light ones.
    let takesDark: Bool

    /// Contrast is adjusted around a pivot, v' = pivot + contrast (v - pivot), and what then is above one half is light.
    ///
    /// Without a pivot, Otsu's threshold of the picture splits it, whatever the contrast. Contrast 0 leaves a picture
    /// that is all the same.
    init(of picture: GrayPicture, contrast: Float, pivot: Float?, takesDark: Bool) {
        self.takesDark = takesDark
        let contrast = contrast.isFinite ? min(max(contrast, 0), 3) : 1
        guard contrast > 0 else {
            firstLight = nil
            return
        }
        guard let pivot else {
            firstLight = Self.otsu(picture)
            return
        }
        let middle = pivot.isFinite ? min(max(pivot, 0), 1) : 0.5
        firstLight =
            (UInt8.min...UInt8.max).first { middle + contrast * (Float($0) / 255 - middle) > 0.5 }
            // All dark, though a split that nothing is above is a split too.
            ?? (takesDark ? UInt8.max : nil)
    }

    /// The split that leaves the two sides as uniform as can be (Otsu 1979); nil for a picture of one value.
    private static func otsu(_ picture: GrayPicture) -> UInt8? {
        var counts = [Int](repeating: 0, count: 256)
        for value in picture.pixels { counts[Int(value)] += 1 }
        let total = Double(picture.pixels.count)
        let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var (below, sumBelow, best) = (0.0, 0.0, 0.0)
        var splits: [Int] = []
        for value in 0..<255 {
            below += Double(counts[value])
            sumBelow += Double(value * counts[value])
            guard below > 0, below < total else { continue }
            let distance = sumBelow / below - (sum - sumBelow) / (total - below)
            let between = below * (total - below) * distance * distance
            if between > best * (1 + 1e-12) {
                best = between
                splits = [value + 1]
            } else if between >= best * (1 - 1e-12), best > 0 {
                splits.append(value + 1)
            }
        }
        // An empty stretch between two peaks is equally good everywhere; its middle is furthest from both.
        return splits.isEmpty ? nil : UInt8(splits[splits.count / 2])
    }
}

/// A picture of two values with a margin of one pixel of background all around.
struct BinaryRaster: Sendable, Equatable {
    /// Columns, the margin not counted.
    let width: Int
    /// Rows, the margin not counted.
    let height: Int
    /// 1 for the foreground, else 0: `height + 2` rows of `width + 2`, top row first.
    let pixels: [UInt8]

    /// From one row to the next.
    var stride: Int { width + 2 }

    /// The pixels of a grey picture that are darker, or those that are lighter.
    init(_ picture: GrayPicture, isForeground: BrightnessSplit) {
        (width, height) = (picture.width, picture.height)
        var pixels = [UInt8](repeating: 0, count: (width + 2) * (height + 2))
        // Light is from the split on; `side` is what turns light into foreground.
        let side: UInt8 = isForeground.takesDark ? 1 : 0
        if let firstLight = isForeground.firstLight {
            for row in 0..<height {
                let (from, to) = (row * width, (row + 1) * (width + 2) + 1)
                for column in 0..<width {
                    pixels[to + column] = (picture.pixels[from + column] >= firstLight ? 1 : 0) ^ side
                }
            }
        }
        self.pixels = pixels
    }

    /// A picture drawn as text: `#` is foreground, anything else is not.
    init(_ rows: [String]) {
        let drawn = rows.map { $0.utf8.map { UInt8($0 == UInt8(ascii: "#") ? 1 : 0) } }
        let width = drawn.map(\.count).max() ?? 0
        self.init(width: width, height: rows.count) { x, y in x < drawn[y].count && drawn[y][x] == 1 }
    }

    /// A picture given by a rule for each column and row.
    init(width: Int, height: Int, isForeground: (_ x: Int, _ y: Int) -> Bool) {
        self.width = width
        self.height = height
        var pixels = [UInt8](repeating: 0, count: (width + 2) * (height + 2))
        for y in 0..<height {
            for x in 0..<width where isForeground(x, y) {
                pixels[(y + 1) * (width + 2) + x + 1] = 1
            }
        }
        self.pixels = pixels
    }

    /// Whether a pixel belongs to the foreground.
    subscript(x: Int, y: Int) -> Bool { pixels[(y + 1) * stride + x + 1] == 1 }
}
