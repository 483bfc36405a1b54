import Dispatch

/// The results of independent pieces of work, in order, whatever the number of cores.
package func parallel<Value: Sendable>(_ count: Int, _ work: (Int) -> Value) -> [Value] {
    guard count > 1 else { return (0..<count).map(work) }
    return [Value](unsafeUninitializedCapacity: count) { buffer, filled in
        // SAFETY: each piece initialises its own place, and all are done when concurrentPerform returns; the closure is
        // only called before this function returns, so it does not escape.
        nonisolated(unsafe) let places = buffer
        withoutActuallyEscaping(work) { work in
            // SAFETY: `work` captures what its callers share for reading only.
            nonisolated(unsafe) let work = work
            DispatchQueue.concurrentPerform(iterations: count) { index in
                (places.baseAddress.map { $0 + index })?.initialize(to: work(index))
            }
        }
        filled = count
    }
}
