package import Foundation
import KinemaCore

package struct AccessToken: Sendable {
    /// Characters that need no escape in an address, a cookie or a header.
    package let text: String

    private static let fewestLetters = 12

    /// The user's token; throws if it is short or has characters that a cookie cannot have.
    package init(_ text: String) throws {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard isPlain, text.utf8.count >= Self.fewestLetters, text.utf8.count <= 128 else {
            throw KinemaError(
                .invalidArgument,
                "a token must have \(Self.fewestLetters) to 128 letters, digits, dots, hyphens or underscores")
        }
        self.text = text
    }

    /// The token in a file's first line.
    package init(contentsOf file: URL) throws {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            // Long enough for any token; a large file is not read completely.
            let bytes = try handle.read(upToCount: 1_024) ?? Data()
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            try self.init(String(decoding: line, as: UTF8.self))
        } catch let error as KinemaError {
            throw KinemaError(.invalidArgument, "its first line is not a token: \(error.message)", file: file.path)
        } catch {
            throw KinemaError(.unreadableInput, "the token's file cannot be read", file: file.path)
        }
    }

    private init(unchecked text: String) { self.text = text }

    /// 128 random bits.
    package static func random() -> AccessToken { AccessToken(unchecked: RandomID.make()) }

    /// Compares in constant time.
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
