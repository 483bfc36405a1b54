/// Borrowed access to a frame's samples without a copy, valid only inside the closure of `VideoFrame.withPlanes`.
package struct FramePlanes: ~Copyable {
    package enum Layout: Hashable, Sendable {
        case gray
        case planar
        /// Two planes: Y, then U and V interleaved; V comes first when `swapped`.
        case semiPlanar(swapped: Bool)
        /// One plane of pixels, 8 bits a channel, with the byte offsets of red, green and blue in a pixel.
        case packed(red: Int, green: Int, blue: Int, bytesPerPixel: Int)
    }

    // SAFETY: the pointers are valid inside the closure that borrows the planes; this value cannot be copied out.
    package struct Plane {
        /// The first sample of the top row.
        package let base: UnsafeRawPointer
        /// The distance from one row to the next; negative when rows are stored bottom up.
        package let bytesPerRow: Int
    }

    package let layout: Layout
    /// Stored columns, before rotation.
    package let storedWidth: Int
    /// Stored rows, before rotation.
    package let storedHeight: Int
    /// Bytes a sample: 1, or 2 in native byte order.
    package let bytesPerSample: Int
    /// Bits a sample, 8...16; the largest value is 2 to this power minus 1.
    package let bitDepth: Int
    /// Chroma has `storedWidth >> chromaShiftX` columns, rounded up.
    package let chromaShiftX: Int
    /// Chroma has `storedHeight >> chromaShiftY` rows, rounded up.
    package let chromaShiftY: Int
    /// One plane for grey and packed pixels, two for semi-planar, three for planar; the rest repeat the first.
    package let planes: (Plane, Plane, Plane)
    /// The conversion from samples to colours; packed pixels use only `lumaScale` (1/255).
    package let matrix: ColorMatrix
    /// The rotation and mirroring for display.
    package let orientation: PixelOrientation

    package var map: PixelMap { orientation.map(storedWidth: storedWidth, storedHeight: storedHeight) }
}
