import Dispatch

/// A thread of its own for work that takes long without waiting: decoding, models, drawing, compressing.
///
/// Swift runs all tasks on as many threads as there are cores. Work that keeps one busy for seconds holds up everything
/// else: messages that wait to be read, even requests for the page.
final class WorkQueue: TaskExecutor {
    // A serial queue has its own thread; a concurrent one shares those of Swift's tasks.
    private let queue: DispatchQueue

    /// Makes a queue; its thread exists while there is work.
    init(_ label: String) {
        queue = DispatchQueue(label: "kinema.\(label)")
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
