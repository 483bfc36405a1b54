/// A small grey picture, as it is stored: row 0 is the stored picture's first row.
struct LumaPicture: Sendable {
    let width: Int
    let height: Int
    /// How many of the frame's pixels, along either side, became one.
    let factor: Int
    var pixels: [UInt8]
}
