struct PartStart: Codable, Hashable, Sendable {
    /// Seconds from the file's first frame; earlier frames are not delivered.
    var time: Double
    /// Whether any defect ends the reading with an error, so that the file is read in one piece.
    var isStrict: Bool
}
