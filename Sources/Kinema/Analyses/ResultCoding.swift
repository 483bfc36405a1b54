import Foundation
import KinemaCore

package enum ResultCoding {
    package static func lines(_ values: some Sequence<some Encodable>) throws -> String {
        let encoder = JSONEncoder.ordered
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

    /// The number with this many decimals; one that rounds to 0 has no sign.
    package func text(_ decimals: Int) -> String {
        let text = String(format: "%.\(decimals)f", self)
        return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
    }
}

extension CGPoint {
    /// The point as in JSON: x and y with five decimals.
    var pair: [Double] { [Double(x).rounded(to: 5), Double(y).rounded(to: 5)] }
}

extension PlainText {
    /// Since which cut a person is there, to follow the number: ", after a cut at 3.2 s"; nothing without one.
    static func afterCut(_ time: Double?) -> String { time.map { ", after a cut at \($0.text(1)) s" } ?? "" }
}
