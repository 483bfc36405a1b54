import Foundation
import KinemaCore

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
