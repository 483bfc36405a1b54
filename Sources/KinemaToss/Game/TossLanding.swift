/// The landing of a bag.
package enum TossLanding: String, CaseIterable, Codable, Sendable {
    /// Through the hole.
    case hole
    /// On the board.
    case board
    /// Beside the board.
    case off
}
