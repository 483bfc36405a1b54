/// A host with a port, as in `Host`, `Origin` and `--allow-host`.
package struct Authority: Equatable, Sendable {
    /// In lower case, an IPv6 address without its brackets.
    var host: String
    var port: Int?

    /// Parses `name`, `name:port`, `1.2.3.4:port` or `[v6]:port`.
    package init?(_ text: some StringProtocol) {
        var name = Substring(text)
        var portText: Substring?
        if name.first == "[" {
            guard let end = name.firstIndex(of: "]") else { return nil }
            let rest = name[name.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            portText = rest.isEmpty ? nil : rest.dropFirst()
            name = name[name.index(after: name.startIndex)..<end]
            guard !name.isEmpty, name.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
        } else {
            if let colon = name.firstIndex(of: ":") {
                portText = name[name.index(after: colon)...]
                name = name[..<colon]
            }
            guard !name.isEmpty, name.allSatisfy(Self.isNameLetter) else { return nil }
        }
        if let portText {
            guard !portText.isEmpty, portText.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(portText),
                number <= 65_535
            else {
                return nil
            }
            port = number
        }
        host = name.lowercased()
    }

    func without(defaultPort: Int) -> Authority {
        var copy = self
        if copy.port == defaultPort { copy.port = nil }
        return copy
    }

    private static func isNameLetter(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || character == "-" || character == "."
                || character == "_")
    }
}
