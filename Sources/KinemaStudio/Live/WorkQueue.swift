import Dispatch

/// A thread for long work such as decoding and inference, which would delay messages on Swift's task threads.
final class WorkQueue: TaskExecutor {
    // A serial queue has its own thread.
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: "kinema.\(label)") }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
