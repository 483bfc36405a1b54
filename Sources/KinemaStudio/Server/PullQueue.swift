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

/// The named timers of one connection, on one event loop.
final class Timeouts<Name: Hashable> {
    private let loop: any EventLoop
    private var scheduled: [Name: (number: Int, timer: Scheduled<Void>)] = [:]
    private var number = 0

    init(_ loop: any EventLoop) { self.loop = loop }

    func arm(_ name: Name, after time: Duration, _ action: @escaping () -> Void) {
        disarm(name)
        number += 1
        let timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self, number] in
            // Of two timers due at once, the first may stop the second after the loop has dequeued it.
            guard let self, scheduled[name]?.number == number else { return }
            scheduled[name] = nil
            action()
        }
        scheduled[name] = (number, timer)
    }

    func disarm(_ name: Name) { scheduled.removeValue(forKey: name)?.timer.cancel() }

    func disarmAll() {
        for entry in scheduled.values { entry.timer.cancel() }
        scheduled = [:]
    }
}
