extension Decoder {
    package func refusal(_ text: String) -> DecodingError {
        DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
    }

    /// The object at this place; throws for an unknown key, with the known ones.
    package func object<Key: CodingKey & CaseIterable>(_ keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let known = keys.allCases.map(\.stringValue)
        let all = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
        if let unknown = all.first(where: { !known.contains($0) }) {
            throw refusal(
                "has the key \"\(PlainText.prefix(unknown, bytes: 40))\", which is unknown; use one of "
                    + known.joined(separator: ", "))
        }
        return try container(keyedBy: keys)
    }
}

extension KeyedDecodingContainer {
    /// An error at a key, or at the object itself.
    package func refusal(_ key: Key?, _ text: String) -> DecodingError {
        DecodingError.dataCorrupted(.init(codingPath: codingPath + (key.map { [$0] } ?? []), debugDescription: text))
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
