import KinemaVision

enum PartElement: Sendable {
    case frame(PartFrame)
    /// The people at the part's end.
    case end(PersonMemory)
}
