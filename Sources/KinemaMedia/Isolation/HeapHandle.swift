import CSandbox
import Foundation

/// The C library's heaps.
package enum HeapHandle {
    // SAFETY: mallopt only sets a limit, before any other thread allocates.
    /// Lets threads share as many heaps as there are processors; call it before anything makes threads.
    ///
    /// The C library makes up to eight for each processor, one by one as threads meet, so that a process which runs for
    /// days grows in steps of some 10 MB, and a short one takes 6 MB and 2 % of its processor time more.
    package static func limit() {
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
    }
}
