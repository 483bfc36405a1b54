/// The aspect ratio of a frame: its width and height, in any unit that is the same for both.
public struct AspectRatio: Hashable, Sendable {
    /// The width.
    package let width: Int
    /// The height.
    package let height: Int

    /// The ratio of most videos, 16/9.
    package static let usual = AspectRatio(16, 9)
    /// The ratio of a square, 1/1.
    package static let square = AspectRatio(1, 1)

    /// Creates a ratio; nil unless both are from 1 to 65536.
    public init?(width: Int, height: Int) {
        let sides = 1...PoseFileLimits().side
        guard sides.contains(width), sides.contains(height) else { return nil }
        self.init(width, height)
    }

    private init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

    /// The width divided by the height.
    package var value: Double { Double(width) / Double(height) }
}
