/// Names that nobody can guess.
enum RandomName {
    /// 128 bits of the system's random numbers, in 32 hexadecimal digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Whether a name is one of these.
    static func isOne(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 32 && name.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }
}
