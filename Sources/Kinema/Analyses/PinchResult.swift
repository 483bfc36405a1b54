import KinemaCore

/// A pinch; the JSON of `kinema gesture`.
public struct PinchResult: Codable, Sendable, Hashable {
    /// The hand's number.
    public var id: Int
    /// Left or right, as the person sees it; null if unknown.
    @Nullable public var hand: String?
    /// The times at which the fingertips touched and parted, seconds.
    public var start: Double, end: Double
    /// Which of the two is only where it was first or last seen, and why; absent if both were seen.
    public var unseen: String?

    init(_ pinch: Pinch) {
        (id, hand) = (pinch.id, pinch.hand?.rawValue)
        (start, end) = (pinch.start.rounded(to: 4), pinch.end.rounded(to: 4))
        unseen = pinch.unseen
    }
}
