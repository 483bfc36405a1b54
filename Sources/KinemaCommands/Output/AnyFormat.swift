enum AnyFormat: FormatChoice {
    static let formats = OutputFormat.allCases
}
