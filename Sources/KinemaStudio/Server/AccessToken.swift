package import Foundation
import KinemaCore
import Synchronization

/// The secret that a client has to send.
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

    /// The token in a file's first line; throws when it cannot be read or is none.
    package init(contentsOf file: URL) throws {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            // Enough for any token with an end of its line; a wrong file is not read to its end.
            let bytes = try handle.read(upToCount: 1_024) ?? Data()
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            try self.init(String(decoding: line, as: UTF8.self))
        } catch let error as KinemaError {
            throw KinemaError(.invalidArgument, "its first line is no token: \(error.message)", file: file.path)
        } catch {
            throw KinemaError(.unreadableInput, "the token's file cannot be read", file: file.path)
        }
    }

    private init(unchecked text: String) { self.text = text }

    /// A fresh one of 128 random bits.
    package static func random() -> AccessToken { AccessToken(unchecked: RandomID.make()) }

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

/// Admits one browser, once. Other users of the machine may see the address it is part of, as they see any command's
/// options; after its use it is worth nothing.
package final class AccessTicket: Sendable {
    private let token: Mutex<AccessToken?>
    /// What stands in the address.
    package let text: String

    /// A fresh one.
    package init() {
        let token = AccessToken.random()
        text = token.text
        self.token = Mutex(token)
    }

    /// Whether a client's word is the ticket; it is used up then.
    func redeem(_ word: some StringProtocol) -> Bool {
        token.withLock { token in
            guard token?.matches(word) == true else { return false }
            token = nil
            return true
        }
    }
}
