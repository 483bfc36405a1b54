/// Where a picture shows what it did not show in the last half second.
struct MovementPicture: Sendable {
    let width: Int
    let height: Int
    /// By how many steps of 255 each pixel leaves the range that it and its neighbours had before.
    var difference: [UInt8]
    /// The standard deviation of the grain, in steps of 255.
    var grain: Double
}

/// A picture of the past and how far everything has moved since.
struct PastPicture {
    let picture: LumaPicture
    /// Whole pixels, x right, y down.
    let shift: (x: Int, y: Int)
}
