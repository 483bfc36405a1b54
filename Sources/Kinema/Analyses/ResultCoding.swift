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

/// A value that is written as null when absent, so that its key is always present.
@propertyWrapper
public struct Nullable<Value: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    /// The value; nil is written as null.
    public var wrappedValue: Value?

    /// Wraps a value.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Reads a value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    /// Writes the value or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// Reads a missing key as null, so that files from older versions remain readable.
    package func decode<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value> {
        try decodeIfPresent(type, forKey: key) ?? Nullable(wrappedValue: nil)
    }
}
