import Dispatch

/// A thread of its own for work that takes long without waiting: decoding, models, drawing, compressing.
///
/// Swift runs all tasks on as many threads as there are cores. Who works there for seconds holds up everyone: clients
/// whose messages nobody reads, even requests for the page.
final class WorkQueue: TaskExecutor {
    // A serial queue takes a thread of its own; a concurrent one would share those of Swift's tasks.
    private let queue: DispatchQueue

    /// Makes a queue; its thread is there while there is work.
    init(_ label: String) {
        queue = DispatchQueue(label: "kinema.\(label)")
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
