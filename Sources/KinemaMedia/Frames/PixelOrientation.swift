/// The rotation and mirroring that turn a stored picture upright: one of the eight EXIF orientations.
package struct PixelOrientation: Hashable, Sendable {
    /// Whether displayed columns run along stored rows.
    package var transposed: Bool
    /// Whether the stored columns are read from right to left.
    package var flipsStoredX: Bool
    /// Whether the stored rows are read from bottom to top.
    package var flipsStoredY: Bool

    package static let upright = PixelOrientation(transposed: false, flipsStoredX: false, flipsStoredY: false)

    package init(transposed: Bool, flipsStoredX: Bool, flipsStoredY: Bool) {
        (self.transposed, self.flipsStoredX, self.flipsStoredY) = (transposed, flipsStoredX, flipsStoredY)
    }

    /// The meaning of EXIF's Orientation tag (Exif 2.32, tag 274); nil for numbers outside 1...8.
    package init?(exif: Int) {
        guard (1...8).contains(exif) else { return nil }
        self.init(
            transposed: exif > 4, flipsStoredX: [2, 3, 7, 8].contains(exif), flipsStoredY: [3, 4, 6, 7].contains(exif))
    }

    /// The quarter turn closest to a container's display matrix (ISO/IEC 14496-12, 8.3.2: x' = ax + cy, y' = bx + dy).
    /// `matrix` holds a, b, u, c, d, v, x, y, w; fewer numbers, or all zeros, mean upright.
    package init(displayMatrix matrix: [Int32]) {
        guard matrix.count >= 5 else {
            self = .upright
            return
        }
        let (a, b, c, d) = (matrix[0], matrix[1], matrix[3], matrix[4])
        let transposed = a.magnitude < b.magnitude || d.magnitude < c.magnitude
        self.init(
            transposed: transposed, flipsStoredX: (transposed ? b : a) < 0, flipsStoredY: (transposed ? c : d) < 0)
    }

    /// A clockwise turn by a multiple of 90 degrees and, after it, a swap of left and right.
    package init(degreesClockwise degrees: Int, mirrored: Bool = false) {
        let turns = degrees / 90 & 3
        self.init(transposed: turns & 1 == 1, flipsStoredX: turns >= 2, flipsStoredY: turns == 1 || turns == 2)
        guard mirrored else { return }
        self = followed(by: PixelOrientation(transposed: false, flipsStoredX: true, flipsStoredY: false))
    }

    /// This orientation followed by another one.
    func followed(by next: PixelOrientation) -> PixelOrientation {
        PixelOrientation(
            transposed: transposed != next.transposed,
            flipsStoredX: flipsStoredX != (transposed ? next.flipsStoredY : next.flipsStoredX),
            flipsStoredY: flipsStoredY != (transposed ? next.flipsStoredX : next.flipsStoredY))
    }

    package func map(storedWidth: Int, storedHeight: Int) -> PixelMap {
        let stepX = flipsStoredX ? -1 : 1
        let stepY = flipsStoredY ? -1 : 1
        return PixelMap(
            xx: transposed ? 0 : stepX, xy: transposed ? stepX : 0, x0: flipsStoredX ? storedWidth - 1 : 0,
            yx: transposed ? stepY : 0, yy: transposed ? 0 : stepY, y0: flipsStoredY ? storedHeight - 1 : 0)
    }
}
