import NIOCore

/// The timers of one connection by name; belongs to one event loop.
final class Deadlines<Name: Hashable> {
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
