/// A host with a port, as in `Host`, `Origin` and `--allow-host`.
package struct Authority: Equatable, Sendable {
    /// In lower case, an IPv6 address without its brackets.
    var host: String
    var port: Int?

    /// Parses `name`, `name:port`, `1.2.3.4:port` or `[v6]:port`.
    package init?(_ text: some StringProtocol) {
        let form = /(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z._-]+))(?::([0-9]+))?/
        guard let match = Substring(text).wholeMatch(of: form), let name = match.1 ?? match.2 else { return nil }
        if let digits = match.3 {
            guard let number = Int(digits), number <= 65_535 else { return nil }
            port = number
        }
        host = name.lowercased()
    }

    func without(defaultPort: Int) -> Authority {
        var copy = self
        if copy.port == defaultPort { copy.port = nil }
        return copy
    }
}
