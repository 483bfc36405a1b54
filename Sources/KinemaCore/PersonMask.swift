/// The pixels of a picture that show people.
public struct PersonMask: Sendable, Hashable, Codable {
    /// Columns and rows.
    public let width, height: Int
    /// The probability that a pixel shows a person, as 0...255, row by row from the top left.
    public internal(set) var values: [UInt8]

    /// Creates a mask of `width` x `height` values, row by row from the top left; nobody by default.
    package init(width: Int, height: Int, values: [UInt8]? = nil) {
        let values = values ?? [UInt8](repeating: 0, count: width * height)
        precondition(width > 0 && height > 0 && values.count == width * height, "one value a pixel")
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// Raises a pixel to at least a value.
    package mutating func raise(_ index: Int, to value: UInt8) { values[index] = max(values[index], value) }

    /// The mask of all that is on either of two; both have one size.
    package func united(with other: PersonMask) -> PersonMask {
        PersonMask(width: width, height: height, values: zip(values, other.values).map(max))
    }
}
