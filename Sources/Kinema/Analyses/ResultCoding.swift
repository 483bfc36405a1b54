import Foundation

package enum ResultCoding {
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    package static func lines(_ values: some Sequence<some Encodable>) throws -> String {
        let encoder = encoder
        return try values.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }
}

extension Double {
    /// The nearest number with this many decimals; 0 if not finite, because JSON cannot represent it.
    func rounded(to decimals: Int) -> Double {
        guard isFinite else { return 0 }
        let scale = pow(10, Double(decimals))
        guard abs(self) * scale < 9e15 else { return self }
        return (self * scale).rounded() / scale
    }

    func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension CGPoint {
    /// The point as in JSON: x and y with five decimals.
    var pair: [Double] { [Double(x).rounded(to: 5), Double(y).rounded(to: 5)] }
}
