import Dispatch

package enum Parallelism {
    /// Whether the task works on one of several videos, or parts of a video, that occupy the cores.
    @TaskLocal package static var isOneOfSeveral = false
}

/// Runs independent work items, on all cores unless those are occupied, and returns their results in order.
package func parallel<Value: Sendable>(_ count: Int, _ work: (Int) -> Value) -> [Value] {
    guard count > 1, !Parallelism.isOneOfSeveral else { return (0..<count).map(work) }
    return [Value](unsafeUninitializedCapacity: count) { buffer, filled in
        // SAFETY: each work item initialises its own element, and all are done when concurrentPerform returns. The
        // closure does not outlive this call.
        nonisolated(unsafe) let elements = buffer
        withoutActuallyEscaping(work) { work in
            // SAFETY: `work` captures what its callers share for reading only.
            nonisolated(unsafe) let work = work
            DispatchQueue.concurrentPerform(iterations: count) { index in
                (elements.baseAddress.map { $0 + index })?.initialize(to: work(index))
            }
        }
        filled = count
    }
}
