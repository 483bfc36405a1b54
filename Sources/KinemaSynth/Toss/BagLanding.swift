/// The landing of a bag: in the hole, on the board or on the ground.
package enum BagLanding: String, CaseIterable, Codable, Sendable {
    case hole, board, off
}
