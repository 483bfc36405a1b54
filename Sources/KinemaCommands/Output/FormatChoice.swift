protocol FormatChoice: Sendable {
    static var formats: [OutputFormat] { get }
}

enum TextJSONOrCSV: FormatChoice {
    static let formats: [OutputFormat] = [.text, .json, .csv]
}
