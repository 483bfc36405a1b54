import NIOCore

/// The timers of one connection by name; belongs to one event loop.
final class Deadlines<Name: Hashable> {
    private let loop: any EventLoop
    private var scheduled: [Name: Scheduled<Void>] = [:]

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Starts the timer anew; what it does is done once.
    func arm(_ name: Name, after time: Duration, _ action: @escaping () -> Void) {
        disarm(name)
        scheduled[name] = loop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self] in
            self?.scheduled[name] = nil
            action()
        }
    }

    func disarm(_ name: Name) {
        scheduled.removeValue(forKey: name)?.cancel()
    }

    /// Stops them all, with what they hold on to.
    func disarmAll() {
        for timer in scheduled.values { timer.cancel() }
        scheduled = [:]
    }
}
