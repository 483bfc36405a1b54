package import KinemaCore

/// Samples in memory with a fixed address, top row first: what a pixel buffer of Core Video is to its users.
///
/// SAFETY: the memory belongs to the instance and is freed with it. Readers copy; code that writes through `address` must
/// not do so while another thread reads, as with a locked pixel buffer.
package final class PixelSamples: @unchecked Sendable {
    package let width: Int, height: Int
    /// Four for blue, green, red, alpha; one for grey.
    package let bytesPerPixel: Int
    package let address: UnsafeMutableRawPointer
    package var bytesPerRow: Int { width * bytesPerPixel }
    package var byteCount: Int { bytesPerRow * height }

    /// Samples of zero.
    package init(width: Int, height: Int, bytesPerPixel: Int) {
        precondition(width > 0 && height > 0 && bytesPerPixel > 0, "a picture has at least one pixel")
        (self.width, self.height, self.bytesPerPixel) = (width, height, bytesPerPixel)
        let count = width * height * bytesPerPixel
        address = .allocate(byteCount: count, alignment: 64)
        address.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    /// A copy of a picture.
    package convenience init(_ bitmap: Bitmap) {
        self.init(width: bitmap.width, height: bitmap.height, bytesPerPixel: 4)
        bitmap.pixels.withUnsafeBytes {
            address.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(address), byteCount: $0.count)
        }
    }

    deinit { address.deallocate() }

    /// A copy as a picture.
    package var bitmap: Bitmap {
        let bytes = UnsafeRawBufferPointer(start: address, count: byteCount)
        let pixels = bytesPerPixel == 4 ? Array(bytes) : bytes.flatMap { [$0, $0, $0, 255] }
        return Bitmap(width: width, height: height, pixels: pixels)
    }
}
