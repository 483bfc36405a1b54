import Synchronization

@testable import KinemaStudio

/// A history in memory.
final class KeptSessions: Sendable {
    private let sessions = Mutex<[KeptSession]>([])
    var all: [KeptSession] { sessions.withLock { $0 } }
    func add(_ session: KeptSession) { sessions.withLock { $0.append(session) } }
}
