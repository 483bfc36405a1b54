package enum TossLanding: String, CaseIterable, Codable, Sendable {
    case hole, board, off
}
