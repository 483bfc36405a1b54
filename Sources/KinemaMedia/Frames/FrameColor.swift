/// Which colours a frame's samples stand for.
struct FrameColor: Hashable, Sendable {
    var standard: ColorMatrix.Standard
    /// Whether samples use every value, not only the limited range of video.
    var fullRange: Bool

    /// What red, green and blue samples are: no matrix, every value used.
    static let rgb = FrameColor(standard: .bt601, fullRange: true)

    /// What video of this height is when nothing else is said: BT.709 above 576 lines, else BT.601, as players assume.
    static func standard(ofHeight height: Int) -> ColorMatrix.Standard {
        height > 576 ? .bt709 : .bt601
    }
}
