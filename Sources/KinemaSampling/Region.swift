import Foundation
package import KinemaCore
package import KinemaMedia

/// A rotated square of a picture that a model runs on, in pixels with the origin at the top left and y down.
package struct Region: Sendable, Equatable {
    package var center: SIMD2<Double>
    package var side: Double
    /// The clockwise rotation in radians.
    package var angle: Double

    package init(center: SIMD2<Double>, side: Double, angle: Double) {
        (self.center, self.side, self.angle) = (center, side, angle)
    }
}

extension Region {
    /// The picture's pixel at a point of the square (0...1 from its top left corner).
    package func pixel(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        let offset = (point - 0.5) * side
        return center + SIMD2(c * offset.x - s * offset.y, s * offset.x + c * offset.y)
    }

    /// The point of the square (0...1 from its top left corner) at a pixel of the picture.
    package func point(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        let offset = pixel - center
        return SIMD2(c * offset.x + s * offset.y, -s * offset.x + c * offset.y) / side + 0.5
    }

    /// Whether the region is finite, near the picture and of a reasonable size.
    package func isValid(for size: SIMD2<Double>) -> Bool {
        center.x.isFinite && center.y.isFinite && side.isFinite && angle.isFinite && side >= 4
            && side <= 8 * max(size.x, size.y)
            && center.x > -side && center.y > -side && center.x < size.x + side && center.y < size.y + side
    }
}

/// A rectangle of whole pixels in a picture as displayed, origin at the top left.
package struct PixelRect: Equatable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    /// The pixels that a normalised rectangle touches, clipped to the picture; at least one.
    package init(_ rect: NormalizedRect, width: Int, height: Int) {
        let box = rect.toImageCoordinates(.init(width: width, height: height), origin: .upperLeft)
        // A tolerance of a millionth of a pixel absorbs rounding errors.
        func low(_ value: Double, _ size: Int) -> Int {
            value.isFinite ? min(max(Int(min(max((value + 1e-6).rounded(.down), 0), 1e9)), 0), size - 1) : 0
        }
        func high(_ value: Double, _ size: Int) -> Int {
            value.isFinite ? min(Int(min(max((value - 1e-6).rounded(.up), 0), 1e9)), size) : size
        }
        x = low(box.minX, width)
        y = low(box.minY, height)
        self.width = max(1, high(box.maxX, width) - x)
        self.height = max(1, high(box.maxY, height) - y)
    }
}

/// The mapping from a model's input to the picture: `origin` + pixel x `step`, without rotation.
package struct InputMapping: Sendable, Equatable {
    /// The position of the input's first pixel in the picture.
    package var origin: SIMD2<Double>
    /// The distance between neighbouring pixels of the input in the picture.
    package var step: SIMD2<Double>

    package init(origin: SIMD2<Double>, step: SIMD2<Double>) { (self.origin, self.step) = (origin, step) }

    /// A box with padding, widened to the input's shape about its centre.
    package init(_ box: SIMD4<Double>, padding: Double, in input: SIMD2<Double>) {
        let center = SIMD2(box.x + box.z, box.y + box.w) / 2
        let scale = (SIMD2(box.z - box.x, box.w - box.y) / input).max() * padding
        step = SIMD2(repeating: max(scale, 1e-3))
        origin = center - input / 2 * step
    }

    package func picture(_ point: SIMD2<Double>) -> SIMD2<Double> { origin + point * step }
}

/// A position in a stored picture, or a displacement, in units of 1/65536 pixel.
struct SamplePosition: Equatable {
    var x: Int, y: Int

    @inline(__always)
    static func + (a: Self, b: Self) -> Self { Self(x: a.x &+ b.x, y: a.y &+ b.y) }
    @inline(__always)
    static func * (a: Self, count: Int) -> Self { Self(x: a.x &* count, y: a.y &* count) }
}

/// An upright greyscale picture: 0 is black, 255 is white, top row first, without padding.
package struct GrayPicture: Sendable, Equatable {
    package let width: Int
    package let height: Int
    package var pixels: [UInt8]

    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height, "one byte a pixel")
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// The brightness of a part of a frame, averaged so that no side is longer than `maximumDimension` pixels. Video
    /// keeps its luma; RGB is weighted as in ITU-R BT.601-7, like JPEG.
    package init(_ frame: VideoFrame, in region: NormalizedRect = .fullImage, maximumDimension: Int = .max) {
        let part = PixelRect(region, width: frame.width, height: frame.height)
        let share = min(1, Double(maximumDimension) / Double(max(part.width, part.height)))
        let width = max(1, Int((Double(part.width) * share).rounded()))
        let height = max(1, Int((Double(part.height) * share).rounded()))
        self.init(
            width: width, height: height,
            pixels: frame.withPlanes { planes in
                LumaReduction.pixels(of: planes, in: part, width: width, height: height)
            })
    }
}
