/// The number of throws of a game: from 1, or "all" without a limit.
package struct ThrowLimit: Sendable, Hashable, Decodable {
    /// The number; `Int.max` for all.
    package let count: Int

    /// Reads "12" or "all"; nil for anything else.
    package init?(_ text: String) {
        guard let count = text == "all" ? .max : Int(text), count >= 1 else { return nil }
        self.count = count
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try (try? value.decode(Int.self)).map { String($0) } ?? value.decode(String.self)
        guard let limit = ThrowLimit(text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "neither a number from 1 nor \"all\"")
        }
        self = limit
    }
}
