package enum FrameChannelPolicy: Sendable, Hashable {
    /// The newest element replaces the one that waits: for live sources.
    case newest
    /// The sender waits while this many elements wait: for sources that must lose nothing.
    case bounded(Int)
}
