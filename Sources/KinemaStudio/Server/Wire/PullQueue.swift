import NIOCore

/// What came in and was not fetched yet; belongs to one event loop, and one task fetches.
///
/// Tells its owner when to read from the network, which is only while somebody waits.
final class PullQueue<Element: Sendable> {
    private var waiting = CircularBuffer<Element>()
    private var waiter: EventLoopPromise<Element?>?
    private var isFinished = false

    /// Whether somebody waits for what has not come yet.
    var isAwaited: Bool { waiter != nil }

    /// Adds an element; none after the end.
    func put(_ element: Element) {
        guard !isFinished else { return }
        if let waiter {
            self.waiter = nil
            waiter.succeed(element)
        } else {
            waiting.append(element)
        }
    }

    /// Ends it: what waits can still be fetched, then comes nil.
    func finish() {
        isFinished = true
        waiter?.succeed(nil)
        waiter = nil
    }

    /// The next element, or nil at the end.
    func take(on loop: any EventLoop) -> EventLoopFuture<Element?> {
        if let element = waiting.popFirst() { return loop.makeSucceededFuture(element) }
        if isFinished { return loop.makeSucceededFuture(nil) }
        // A second one to ask would make the first wait for ever; there is only one task.
        waiter?.succeed(nil)
        let promise = loop.makePromise(of: Element?.self)
        waiter = promise
        return promise.futureResult
    }
}
