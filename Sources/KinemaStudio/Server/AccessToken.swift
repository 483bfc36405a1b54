package import Foundation
import KinemaCore

package struct AccessToken: Sendable {
    /// Characters that need no escape in an address, a cookie or a header.
    package let text: String

    private static let fewestLetters = 12
    /// The least bits of a chosen token: 2^64 tries take half a million years at a million a second.
    private static let leastBits = 64.0

    /// The user's token; throws if it is short, can be guessed or has characters that a cookie cannot have.
    package init(_ text: String) throws {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard isPlain, text.utf8.count >= Self.fewestLetters, text.utf8.count <= 128 else {
            throw KinemaError(
                .invalidArgument,
                "a token must have \(Self.fewestLetters) to 128 letters, digits, dots, hyphens or underscores")
        }
        guard Self.bits(of: Array(text.utf8)) >= Self.leastBits else {
            throw KinemaError(
                .invalidArgument,
                "the token can be guessed, since its characters make less than \(Int(Self.leastBits)) bits; make one "
                    + "with: openssl rand -hex 16")
        }
        self.text = text
    }

    /// The bits of characters drawn at random from the kinds that occur; of a text that repeats itself or counts, only
    /// those of the part that it is made of.
    private static func bits(of text: [UInt8]) -> Double {
        let period = (1...text.count / 2).first { text.dropFirst($0).elementsEqual(text.dropLast($0)) }
        let steps = zip(text.dropFirst(), text).map { Int($0) - Int($1) }
        let turns = zip(steps.dropFirst(), steps).count { $0 != $1 }
        let drawn = turns < text.count / 2 ? turns : period ?? text.count
        let kinds = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "-_."].map {
            Set($0.utf8)
        }
        let isHexadecimal = Set("0123456789abcdef".utf8).isSuperset(of: text)
        let used = kinds.filter { !$0.isDisjoint(with: text) }.reduce(0) { $0 + $1.count }
        return Double(drawn) * log2(Double(isHexadecimal ? min(used, 16) : used))
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
