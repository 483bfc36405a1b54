import NIOCore

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
