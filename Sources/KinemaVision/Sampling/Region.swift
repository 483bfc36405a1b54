import Foundation
package import KinemaCore
package import KinemaMedia

/// A rotated square of a picture that a model runs on, in pixels with the origin at the top left and y down.
struct Region: Sendable, Equatable {
    var center: SIMD2<Double>
    var side: Double
    /// The clockwise rotation in radians.
    var angle: Double
}

extension Region {
    /// The region of a body by MediaPipe's rule: the side is 2.5 times the distance, and `middle` to `rim` points up.
    init(middle: SIMD2<Double>, rim: SIMD2<Double>) {
        let line = rim - middle
        center = middle
        side = 2 * 1.25 * line.length
        angle = .pi / 2 - atan2(-line.y, line.x)
    }

    /// The picture's pixel at a point of the square (0...1 from its top left corner).
    func pixel(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        let offset = (point - 0.5) * side
        return center + SIMD2(c * offset.x - s * offset.y, s * offset.x + c * offset.y)
    }

    /// The point of the square (0...1 from its top left corner) at a pixel of the picture.
    func point(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        let offset = pixel - center
        return SIMD2(c * offset.x + s * offset.y, -s * offset.x + c * offset.y) / side + 0.5
    }

    /// A model's points in metres, rotated by the region's angle: x right, y up, z towards the camera.
    func world(_ raw: TensorView, count: Int) -> [SIMD3<Float>] {
        let (c, s) = (Float(cos(angle)), Float(sin(angle)))
        return (0..<count).map { index in
            let (x, y, z) = (raw[3 * index], raw[3 * index + 1], raw[3 * index + 2])
            return SIMD3(c * x - s * y, -(s * x + c * y), -z)
        }
    }

    /// Whether the region is finite, near the picture and of a reasonable size.
    func isValid(for size: SIMD2<Double>) -> Bool {
        center.x.isFinite && center.y.isFinite && side.isFinite && angle.isFinite && side >= 4
            && side <= 8 * max(size.x, size.y)
            && center.x > -side && center.y > -side && center.x < size.x + side && center.y < size.y + side
    }
}

/// A rectangle of whole pixels in a picture as displayed, origin at the top left.
struct PixelRect: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// The pixels that a normalised rectangle touches, clipped to the picture; at least one.
    init(_ rect: NormalizedRect, width: Int, height: Int) {
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
