internal import Dispatch
internal import Foundation

/// The machine's own clock, which nobody sets.
enum MachineClock {
    /// Since some moment in the past.
    static var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Blocks this thread.
    static func rest(_ duration: Duration) {
        Thread.sleep(forTimeInterval: duration / .seconds(1))
    }
}
