import NIOCore

/// A queue of what was received, on one event loop, for one task that reads it.
///
/// Its owner reads from the network only while that task waits.
final class PullQueue<Element: Sendable> {
    private var waiting = CircularBuffer<Element>()
    private var waiter: EventLoopPromise<Element?>?
    private var isFinished = false

    /// Whether the task waits for what has not come yet.
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

    /// Ends it: what waits can still be read, then comes nil.
    func finish() {
        isFinished = true
        waiter?.succeed(nil)
        waiter = nil
    }

    /// The next element, or nil at the end.
    func take(on loop: any EventLoop) -> EventLoopFuture<Element?> {
        if let element = waiting.popFirst() { return loop.makeSucceededFuture(element) }
        if isFinished { return loop.makeSucceededFuture(nil) }
        // There is one task; if a second asked, the first would wait for ever.
        waiter?.succeed(nil)
        let promise = loop.makePromise(of: Element?.self)
        waiter = promise
        return promise.futureResult
    }
}

/// The timers of one connection by name; belongs to one event loop.
final class Timeouts<Name: Hashable> {
    private let loop: any EventLoop
    private var scheduled: [Name: (number: Int, timer: Scheduled<Void>)] = [:]
    private var number = 0

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Starts the timer anew; what it does is done once.
    func arm(_ name: Name, after time: Duration, _ action: @escaping () -> Void) {
        disarm(name)
        number += 1
        let timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self, number] in
            // Of two timers due at once, the first may stop the second, which the loop has already taken out to run.
            guard let self, scheduled[name]?.number == number else { return }
            scheduled[name] = nil
            action()
        }
        scheduled[name] = (number, timer)
    }

    func disarm(_ name: Name) {
        scheduled.removeValue(forKey: name)?.timer.cancel()
    }

    /// Stops them all, with what they hold on to.
    func disarmAll() {
        for entry in scheduled.values { entry.timer.cancel() }
        scheduled = [:]
    }
}
