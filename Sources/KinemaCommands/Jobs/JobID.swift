enum JobID: Decodable, Hashable, Sendable {
    case text(String)
    case number(Int)

    /// The longest text in bytes.
    static let longestText = 256

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
            self = .number(number)
            return
        }
        let text = try value.decode(String.self)
        guard text.utf8.count <= Self.longestText else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "too long")
        }
        self = .text(text)
    }
}
