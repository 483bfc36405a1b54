public import KinemaCore
public import Testing

// A failed expectation should not print a picture's every byte.
extension Bitmap: CustomTestStringConvertible {
    /// The picture's size.
    public var testDescription: String { "picture of \(width)x\(height)" }
}
