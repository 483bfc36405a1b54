import Dispatch

/// A thread for long work: decoding, models, drawing, compressing.
///
/// Swift runs all tasks on as many threads as there are cores; long work on one delays messages and requests.
final class WorkQueue: TaskExecutor {
    // A serial queue has its own thread.
    private let queue: DispatchQueue

    init(_ label: String) {
        queue = DispatchQueue(label: "kinema.\(label)")
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
