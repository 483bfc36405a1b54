package import Foundation

/// A box given by its corner and size, each 0...1 of the frame, origin at the lower left.
public struct NormalizedBox: Sendable, Hashable, Codable {
    /// The box.
    package let rect: CGRect

    /// Creates a box from x, y, width and height; nil unless they are four numbers within the frame.
    public init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }), numbers[2] > 0, numbers[3] > 0,
            numbers[0] + numbers[2] <= 1 + 1e-9, numbers[1] + numbers[3] <= 1 + 1e-9
        else { return nil }
        rect = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Parses "x,y,width,height"; nil for anything else.
    package init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard !numbers.contains(where: { $0 == nil }) else { return nil }
        self.init(numbers.compactMap(\.self))
    }
}
