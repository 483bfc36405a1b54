/// Maps displayed pixels to stored ones: integer columns and rows from the top left.
package struct PixelMap: Hashable, Sendable {
    package var xx: Int
    package var xy: Int
    package var x0: Int
    package var yx: Int
    package var yy: Int
    package var y0: Int

    package func stored(x: Int, y: Int) -> (x: Int, y: Int) { (xx * x + xy * y + x0, yx * x + yy * y + y0) }
}
