import KinemaCore
import KinemaMedia

/// A channel in which a board stands out that has no contrast in brightness.
enum BoardChannel: CaseIterable {
    /// The brightness of dark areas, amplified: for the hole in a dark board.
    case shade
    /// The excess of blue and of red over grey, which is 0.5: for a board as bright as the ground.
    case blue, red

    /// The amplification of the shade.
    private static let gain = 3

    func picture(of frame: VideoFrame) throws -> VideoFrame {
        var bitmap = try frame.bitmap()
        for pixel in stride(from: 0, to: bitmap.pixels.count - 3, by: 4) {
            let (blue, green, red) = (
                Int(bitmap.pixels[pixel]), Int(bitmap.pixels[pixel + 1]), Int(bitmap.pixels[pixel + 2])
            )
            // Of BT.601, in 256ths.
            let luma = (77 * red + 150 * green + 29 * blue) >> 8
            let value =
                switch self {
                case .shade: Self.gain * luma
                case .blue: 128 + blue - luma
                case .red: 128 + red - luma
                }
            let byte = UInt8(min(max(value, 0), 255))
            for channel in 0..<3 { bitmap.pixels[pixel + channel] = byte }
        }
        return VideoFrame(bitmap: bitmap, id: frame.id)
    }
}
