import NIOCore

/// A queue on one event loop for one reading task; its owner reads from the network only while the task waits.
final class PullQueue<Element: Sendable> {
    private var waiting = CircularBuffer<Element>()
    private var waiter: EventLoopPromise<Element?>?
    private var isFinished = false

    var isAwaited: Bool { waiter != nil }

    func put(_ element: Element) {
        guard !isFinished else { return }
        if let waiter {
            self.waiter = nil
            waiter.succeed(element)
        } else {
            waiting.append(element)
        }
    }

    /// Ends the queue after the waiting elements.
    func finish() {
        isFinished = true
        waiter?.succeed(nil)
        waiter = nil
    }

    func take(on loop: any EventLoop) -> EventLoopFuture<Element?> {
        if let element = waiting.popFirst() { return loop.makeSucceededFuture(element) }
        if isFinished { return loop.makeSucceededFuture(nil) }
        // A second reader would make the first wait for ever.
        waiter?.succeed(nil)
        let promise = loop.makePromise(of: Element?.self)
        waiter = promise
        return promise.futureResult
    }
}
