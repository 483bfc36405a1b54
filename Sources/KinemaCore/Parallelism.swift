package enum Parallelism {
    /// Whether the task works on one of several videos, or parts of a video, that occupy the cores.
    @TaskLocal package static var isOneOfSeveral = false
}
