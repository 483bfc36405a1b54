import Kinema

/// Callbacks of the runs in the current task and those it starts.
struct RunObserver: Sendable {
    @TaskLocal static var current: RunObserver?

    /// The input is open; the argument returns its frame counts so far.
    var opened: @Sendable (@escaping @Sendable () -> FrameTally) -> Void
    var took: @Sendable (VideoFrame) -> Void
    /// A live source connected, was lost or came back.
    var changed: @Sendable (ConnectionState) -> Void
}
