import Foundation
package import KinemaCore
package import KinemaMedia

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
