enum ClassifierName {
    /// Keeps ids distinct from those of classifiers on the command line.
    private static let prefix = "studio-"
    private static let length = 48

    static func id(_ name: String, taken: Set<String>) -> String {
        let letters = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(letters).split(separator: "-").joined(separator: "-").prefix(length - 8)
        let stem = prefix + (words.isEmpty ? "classifier" : words)
        var (id, number) = (stem, 1)
        while taken.contains(id) {
            number += 1
            id = "\(stem)-\(number)"
        }
        return id
    }

    /// Whether a text is such an id; others could be paths.
    static func isID(_ text: String) -> Bool {
        text.hasPrefix(prefix) && (prefix.utf8.count + 1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    static func file(_ id: String) -> String { "\(id.dropFirst(prefix.count)).model" }
}
