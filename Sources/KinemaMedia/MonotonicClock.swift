import Dispatch
import Foundation

/// The system's monotonic clock.
enum MonotonicClock {
    /// The time since an arbitrary moment in the past.
    static var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Blocks the current thread.
    static func sleep(for duration: Duration) {
        Thread.sleep(forTimeInterval: duration / .seconds(1))
    }
}

extension Thread {
    /// Starts a named thread.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.start()
    }
}
