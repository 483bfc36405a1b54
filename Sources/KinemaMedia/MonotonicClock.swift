import Dispatch
package import Foundation

enum MonotonicClock {
    static var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    static func sleep(for duration: Duration) { Thread.sleep(forTimeInterval: duration / .seconds(1)) }
}

extension Thread {
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.start()
    }
}
