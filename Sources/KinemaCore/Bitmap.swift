import Foundation

/// An image in memory: blue, green, red, alpha (premultiplied), 8 bits each, top row first, as in Cairo.
public struct Bitmap: Sendable, Equatable {
    /// Columns and rows.
    public let width, height: Int
    /// Blue, green, red, alpha for every pixel; `width * 4` bytes a row, top row first.
    public var pixels: [UInt8]

    package var bytesPerRow: Int { width * 4 }

    /// Creates an opaque image of one colour, black by default.
    public init(width: Int, height: Int, red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0) {
        precondition(width > 0 && height > 0, "a bitmap has at least one pixel")
        (self.width, self.height) = (width, height)
        pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            for index in stride(from: 0, to: width * height * 4, by: 4) {
                buffer[index] = blue
                buffer[index + 1] = green
                buffer[index + 2] = red
                buffer[index + 3] = 255
            }
            count = width * height * 4
        }
    }

    /// Creates an image from its bytes: blue, green, red, alpha, top row first, without padding.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 4, "four bytes a pixel")
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// The pixels within a rectangle inside the image; `x` and `y` count from the top left.
    package func part(x: Int, y: Int, width: Int, height: Int) -> Bitmap {
        var part: [UInt8] = []
        part.reserveCapacity(width * height * 4)
        for row in y..<y + height {
            let start = row * bytesPerRow + x * 4
            part += pixels[start..<start + width * 4]
        }
        return Bitmap(width: width, height: height, pixels: part)
    }

    /// Red, green and blue at a column and row counted from the top left.
    package subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let start = (y * width + x) * 4
        return (pixels[start + 2], pixels[start + 1], pixels[start])
    }
}

/// The pixels of a picture that show people.
public struct PersonMask: Sendable, Hashable, Codable {
    /// Columns and rows.
    public let width, height: Int
    /// The probability that a pixel shows a person, as 0...255, row by row from the top left.
    public internal(set) var values: [UInt8]

    /// Creates a mask of `width` x `height` values, row by row from the top left; nobody by default.
    package init(width: Int, height: Int, values: [UInt8]? = nil) {
        let values = values ?? [UInt8](repeating: 0, count: width * height)
        precondition(width > 0 && height > 0 && values.count == width * height, "one value a pixel")
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// Raises a pixel to at least a value.
    package mutating func raise(_ index: Int, to value: UInt8) { values[index] = max(values[index], value) }

    /// The mask of all that is on either of two; both have one size.
    package func united(with other: PersonMask) -> PersonMask {
        PersonMask(width: width, height: height, values: zip(values, other.values).map(max))
    }
}

/// What is hidden of people in pictures that are shown to others.
package enum Hiding: String, Sendable, Hashable, CaseIterable, Codable {
    /// Heads, behind plain squares.
    case faces
    /// Whole people, behind their silhouettes.
    case people
    /// Everything but people.
    case background
}

/// The parts of one picture to hide.
package struct HiddenParts: Sendable {
    /// A circle around a head, in pixels from the picture's upper left corner.
    package struct Head: Sendable, Hashable {
        package var center: SIMD2<Double>
        package var radius: Double

        package init(center: SIMD2<Double>, radius: Double) { (self.center, self.radius) = (center, radius) }

        /// Whether this circle covers the other one's middle, or the other way round.
        package func touches(_ other: Head) -> Bool {
            let away = center - other.center
            return (away * away).sum().squareRoot() < max(radius, other.radius)
        }
    }

    /// From a head's radius to the length of its body: a head's height is 0.13 of the standing height (Drillis and Contini).
    private static let bodyOfHead = 15.0
    /// From this probability on a pixel is hidden with the person, of 255.
    package static let leastOfPerson: UInt8 = 64

    package var hiding: Hiding
    package var heads: [Head]
    /// In the picture's size; nil where only faces are hidden.
    package var mask: PersonMask?

    package init(_ hiding: Hiding, heads: [Head], mask: PersonMask?) {
        (self.hiding, self.heads, self.mask) = (hiding, heads, mask)
    }

    /// Hides a body's length around each head on which no silhouette lies, unless it is that of a pose which has one.
    package mutating func hideBodies(besides poses: [Pose], width: Int, height: Int) {
        let size = SIMD2(Double(width), Double(height))
        let known = poses.filter { pose in
            pose.keypoints.values.contains { joint in
                covers(Head(center: SIMD2(joint.location.x, 1 - joint.location.y) * size, radius: 0))
            }
        }.compactMap { Head($0, width: width, height: height) }
        for index in heads.indices where !covers(heads[index]) && !known.contains(where: { $0.touches(heads[index]) }) {
            heads[index].radius *= Self.bodyOfHead
        }
    }

    /// Whether a silhouette covers the centre of a head.
    package func covers(_ head: Head) -> Bool {
        guard hiding == .people, let mask, head.center.x >= 0, head.center.y >= 0 else { return false }
        let (x, y) = (Int(head.center.x), Int(head.center.y))
        return x < mask.width && y < mask.height && mask.values[y * mask.width + x] >= Self.leastOfPerson
    }
}

extension HiddenParts.Head {
    /// A head is as wide as this share of the trunk at least, and of the distance of the ears: with hair, and room for what
    /// the landmarks err. (A head's height is 0.13 and the trunk 0.29 of the standing height: Drillis and Contini in Winter,
    /// Biomechanics of Human Movement.)
    private static let ofTrunk = 0.38, ofEars = 1.4, ofNeck = 1.0, toCrown = 0.15

    /// The head of a pose in a picture of the given size; nil without joints of a head.
    package init?(_ pose: Pose, width: Int, height: Int) {
        let size = SIMD2(Double(width), Double(height))
        func point(_ key: JointKey) -> SIMD2<Double>? {
            pose.keypoints[key].map { SIMD2($0.location.x, 1 - $0.location.y) * size }
        }
        func middle(_ one: JointKey, _ other: JointKey) -> SIMD2<Double>? {
            guard let one = point(one), let other = point(other) else { return point(one) ?? point(other) }
            return (one + other) / 2
        }
        func distance(_ one: SIMD2<Double>?, _ other: SIMD2<Double>?) -> Double {
            guard let one, let other else { return 0 }
            return ((one - other) * (one - other)).sum().squareRoot()
        }
        let face = [point(.nose), middle(.leftEye, .rightEye), middle(.leftEar, .rightEar)].compactMap(\.self)
        guard !face.isEmpty else { return nil }
        center = face.reduce(.zero, +) / Double(face.count)
        let (neck, hips) = (middle(.leftShoulder, .rightShoulder), middle(.leftHip, .rightHip))
        radius = max(
            Self.ofTrunk * distance(neck, hips), Self.ofEars * distance(point(.leftEar), point(.rightEar)),
            Self.ofNeck * distance(neck, center))
        // The middle of a head lies above that of its face.
        if let neck { center += (center - neck) * Self.toCrown }
        guard radius.isFinite, radius > 0, center.x.isFinite, center.y.isFinite else { return nil }
    }
}

extension Bitmap {
    /// Up to this probability of a person a pixel is hidden with the background, of 255.
    private static let mostOfBackground: UInt8 = 127
    /// What silhouettes and heads, and a hidden background are painted with: plain and of no colour, since detectors find
    /// faces in squares of the colours of a head.
    private static let silhouette: UInt8 = 150, background: UInt8 = 40

    /// Hides parts of the picture; the mask has the picture's size.
    package mutating func hide(_ parts: HiddenParts) {
        if let mask = parts.mask {
            precondition(mask.width == width && mask.height == height, "a mask has the size of its picture")
            let (hidesPeople, paint) = parts.hiding == .people ? (true, Self.silhouette) : (false, Self.background)
            for (index, value) in mask.values.enumerated()
            where hidesPeople ? value >= HiddenParts.leastOfPerson : value <= Self.mostOfBackground {
                for channel in 0..<3 { pixels[4 * index + channel] = paint }
            }
        }
        // Somebody whose silhouette was missed still has a face.
        if parts.hiding != .background { for head in parts.heads { cover(head) } }
    }

    /// Covers the square around a circle.
    private mutating func cover(_ head: HiddenParts.Head) {
        let columns = clamped(head.center.x - head.radius, 2 * head.radius, width)
        for row in clamped(head.center.y - head.radius, 2 * head.radius, height) {
            for column in columns {
                for channel in 0..<3 { pixels[4 * (row * width + column) + channel] = Self.silhouette }
            }
        }
    }

    private func clamped(_ from: Double, _ side: Double, _ limit: Int) -> Range<Int> {
        let low = Int(min(max(from.rounded(.down), 0), Double(limit)))
        return low..<max(low, Int(min(max((from + side).rounded(.up), 0), Double(limit))))
    }
}
