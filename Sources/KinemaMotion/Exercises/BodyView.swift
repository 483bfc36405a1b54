package enum BodyView: String, Sendable, Hashable, CaseIterable, Codable {
    /// From the front or from behind; for a person who is lying, from the head or the feet.
    case front
    /// From between front and side.
    case diagonal
    /// From the left or the right.
    case side

    /// The view for `BodyMeasure.view`: thirds of the quarter turn.
    init(degrees: Float) { self = degrees < 30 ? .front : degrees < 60 ? .diagonal : .side }
}
