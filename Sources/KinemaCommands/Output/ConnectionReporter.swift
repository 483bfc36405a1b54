import Kinema
import Synchronization

/// Reports on standard error when a camera or a stream is lost, and when it is back.
final class ConnectionReporter: Sendable {
    private let source: String
    private let wasLost = Mutex(false)
    private let observer = RunObservation.current

    init(_ source: String) {
        self.source = source
    }

    func report(_ state: ConnectionState) {
        observer?.changed(state)
        switch state {
        case .connecting: return
        case .live:
            let isBack = wasLost.withLock { wasLost in
                defer { wasLost = false }
                return wasLost
            }
            if isBack { Console.shared.line("kinema: \(source): back") }
        case .reconnecting(let reason):
            wasLost.withLock { $0 = true }
            Console.shared.line("kinema: \(source): lost: \(reason); retrying until it is back (Ctrl-C stops)")
        }
    }
}
