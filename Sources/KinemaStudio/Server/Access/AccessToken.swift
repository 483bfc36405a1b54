import Foundation
import KinemaCore

/// What a client must know to be let in.
package struct AccessToken: Sendable {
    /// The token itself; letters that need no escape in an address, a cookie or a header.
    package let text: String

    /// Fewer letters could be guessed by trying.
    private static let fewestLetters = 12

    /// A token of the user's own; throws when it is short or holds letters that a cookie cannot carry.
    package init(_ text: String) throws {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain, text.utf8.count >= Self.fewestLetters, text.utf8.count <= 128 else {
            throw KinemaError(
                .invalidArgument,
                "a token has \(Self.fewestLetters) to 128 letters, digits, dots, hyphens or underscores")
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// A fresh one of 128 random bits.
    package static func random() -> AccessToken { AccessToken(unchecked: RandomName.make()) }

    /// Whether a client's word is the token, in a time that says nothing about how much of it is right.
    func matches(_ word: some StringProtocol) -> Bool {
        let expected = Array(text.utf8)
        let given = Array(word.utf8)
        var difference = UInt(bitPattern: expected.count ^ given.count)
        for (index, byte) in expected.enumerated() {
            difference |= UInt(byte ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}
