/// Where a picture shows what it did not show in the last half second.
struct MovementPicture: Sendable {
    let width: Int
    let height: Int
    /// By how many steps of 255 each pixel leaves the range that it and its neighbours had before.
    var difference: [UInt8]
    /// The standard deviation of the grain, in steps of 255.
    var grain: Double

    /// What differs by more moved: four deviations of the grain; under that of a good sensor the eye, and the encoder,
    /// see nothing either.
    var threshold: UInt8 { UInt8(min(max(4 * grain, 10), 100)) }
}

/// A picture of the past and how far everything has moved since.
struct PastPicture {
    let picture: SmallPicture
    /// Whole pixels, x right, y down.
    let shift: (x: Int, y: Int)
}

extension MovementPicture {
    /// Compares a picture with five past ones, by brightness and by colour: a thing as bright as the wall behind it
    /// seldom has the wall's colour too.
    init(of now: SmallPicture, past: [PastPicture]) {
        self.init(of: now.luma, past: past.map { PastPlane(plane: $0.picture.luma, shift: $0.shift) })
        guard let colors = now.colors, past.allSatisfy({ $0.picture.colors != nil }) else { return }
        func half(_ length: Int) -> Int { Int((Double(length) / 2).rounded()) }
        let shifts = past.map { (x: half($0.shift.x), y: half($0.shift.y)) }
        let blue = zip(past, shifts).compactMap { past, shift in
            past.picture.colors.map { PastPlane(plane: $0.blue, shift: shift) }
        }
        let red = zip(past, shifts).compactMap { past, shift in
            past.picture.colors.map { PastPlane(plane: $0.red, shift: shift) }
        }
        join(MovementPicture(of: colors.blue, past: blue))
        join(MovementPicture(of: colors.red, past: red))
    }
}
