/// A frame's samples where the decoder left them, for reading without a copy.
///
/// Valid only inside the closure of `VideoFrame.withPlanes`.
package struct FramePlanes: ~Copyable {
    /// How samples lie in memory.
    package enum Layout: Hashable, Sendable {
        /// One plane of grey.
        case gray
        /// Three planes: Y, U, V.
        case planar
        /// Two planes: Y, and pairs of U and V; the pairs are V and U when `swapped`.
        case semiPlanar(swapped: Bool)
        /// One plane of pixels, 8 bits a channel: byte offsets of red, green and blue within a pixel.
        case packed(red: Int, green: Int, blue: Int, bytesPerPixel: Int)
    }

    // SAFETY: the pointers are valid while the closure that was lent the planes runs; this value cannot be copied out.
    /// Where one plane begins.
    package struct Plane {
        /// The first sample of the top row.
        package let base: UnsafeRawPointer
        /// From one row to the next; negative when rows are stored bottom up.
        package let bytesPerRow: Int
    }

    package let layout: Layout
    /// Columns as stored, before turning.
    package let storedWidth: Int
    /// Rows as stored, before turning.
    package let storedHeight: Int
    /// 1, or 2 for samples in the machine's byte order.
    package let bytesPerSample: Int
    /// 8...16: the largest value a sample may have is 2 to this power minus 1.
    package let bitDepth: Int
    /// Chroma has `storedWidth >> chromaShiftX` columns, rounded up.
    package let chromaShiftX: Int
    /// Chroma has `storedHeight >> chromaShiftY` rows, rounded up.
    package let chromaShiftY: Int
    /// One plane for grey and packed pixels, two for semi-planar, three for planar; the rest repeat the first.
    package let planes: (Plane, Plane, Plane)
    /// From samples to colours; for packed pixels only `lumaScale` (1/255) matters.
    package let matrix: ColorMatrix
    /// How the stored picture is turned for display.
    package let orientation: PixelOrientation

    /// Columns as displayed.
    package var width: Int { orientation.transposed ? storedHeight : storedWidth }
    /// Rows as displayed.
    package var height: Int { orientation.transposed ? storedWidth : storedHeight }
    /// From displayed to stored pixel coordinates.
    package var map: PixelMap { orientation.map(storedWidth: storedWidth, storedHeight: storedHeight) }
}
