import Foundation

enum RandomID {
    /// 128 random bits in 32 hexadecimal digits.
    static func make() -> String {
        (0..<16).map { _ in String(format: "%02x", UInt8.random(in: .min ... .max)) }.joined()
    }

    static func isOne(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 32 && name.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }
}
