import Kinema

/// Observes a run in progress.
protocol RunObserver: Sendable {
    /// The input is open; `tally` returns its frame counts so far.
    func opened(_ tally: @escaping @Sendable () -> FrameTally)
    func took(_ frame: VideoFrame)
    /// A live source connected, was lost or came back.
    func changed(_ state: ConnectionState)
}

/// The observer of runs in the current task and those it starts.
enum RunObservation {
    @TaskLocal static var current: (any RunObserver)?
}
