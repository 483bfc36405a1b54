import KinemaCore
import KinemaMotion

/// A file of bare numbers that was passed through once, so that it is known what they mean.
struct PoseNumbers {
    private var parser: PoseNumberParser
    /// Whether the third number of BlazePose's joints is a depth.
    private var hasDepth = false
    /// Whether the body reaches from side to side and from top to bottom in every frame with somebody in it.
    private(set) var areStretched = false
    /// The largest x and y.
    private var (right, bottom) = (Float(0), Float(0))

    /// Places up to here are shares of the picture: joints are guessed outside it, but no picture has ten pixels.
    static let largestShare: Float = 10

    /// Passes through the file; throws `unreadableInput` when it is damaged anywhere.
    init(_ parser: PoseNumberParser) throws(KinemaError) {
        self.parser = parser
        var survey = parser
        var (least, greatest) = (Float.infinity, -Float.infinity)
        var (bodies, stretched) = (0, 0)
        while let row = try survey.next() {
            var extent = JointExtent()
            for start in stride(from: 0, to: row.values.count, by: 3) {
                right = Self.greater(right, row.values[start])
                bottom = Self.greater(bottom, row.values[start + 1])
                extent.add(SIMD2(Double(row.values[start]), Double(row.values[start + 1])))
                guard row.order == .blazePose33 else { continue }
                greatest = Self.greater(greatest, row.values[start + 2])
                least = -Self.greater(-least, -row.values[start + 2])
            }
            if !extent.isEmpty { bodies += 1 }
            if extent.fillsPicture { stretched += 1 }
        }
        areStretched = bodies > 0 && stretched == bodies
        hasDepth = least <= greatest && (least < 0 || greatest > 1 || greatest == 0)
    }

    /// The number of frames, if known without counting.
    var frameCount: Int? { parser.frameCount }

    /// Whether places are shares of the picture; otherwise they are pixels.
    var areShares: Bool { right <= Self.largestShare && bottom <= Self.largestShare }

    /// The shape of the pictures where nobody says it: of poses that were stretched to the unit square, that is all there is.
    var usualAspect: AspectRatio { areStretched ? .square : .usual }

    /// The size of the picture in the unit of the places: 1 for shares, otherwise the smallest of this shape that holds all.
    func size(_ aspect: AspectRatio) -> (width: Float, height: Float) {
        guard !areShares else { return (1, 1) }
        let ratio = Float(aspect.value)
        let height = max(bottom, right / ratio)
        return (height * ratio, height)
    }

    /// The next frame, its third numbers confidences; nil after the last.
    mutating func next() throws(KinemaError) -> JointRow? {
        guard var row = try parser.next() else { return nil }
        if hasDepth, row.order == .blazePose33 {
            let isNobody = row.values.allSatisfy { $0 == 0 || $0.isNaN }
            for index in stride(from: 2, to: row.values.count, by: 3) { row.values[index] = isNobody ? 0 : 1 }
        }
        return row
    }

    /// The greater one; NaN is no number and never it.
    private static func greater(_ one: Float, _ other: Float) -> Float { other > one ? other : one }
}
