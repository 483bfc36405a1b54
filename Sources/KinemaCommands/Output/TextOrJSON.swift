enum TextOrJSON: FormatChoice {
    static let formats: [OutputFormat] = [.text, .json]
}
