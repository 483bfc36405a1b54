import CSandbox
import Foundation

package enum HeapHandle {
    // SAFETY: mallopt only sets a limit, before any other thread allocates.
    /// Lets threads share as many heaps as there are processors; call it before any thread exists.
    ///
    /// By default the C library adds up to eight heaps per processor: long runs grow by some 10 MB at a time, and short
    /// ones take 6 MB and 2 % more processor time.
    package static func limit() {
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
    }
}
