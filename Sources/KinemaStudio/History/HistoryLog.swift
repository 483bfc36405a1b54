import Foundation
import GRDB
import Synchronization

/// The history's write-ahead log. It holds deleted data until it is emptied, which an open reader prevents.
final class HistoryLog: Sendable {
    /// At first true, as an earlier program may have left some.
    private let remains = Mutex(true)
    private let patience: TimeInterval

    init(patience: TimeInterval) { self.patience = patience }

    /// Whether deleted data may still be in it.
    var hasRemains: Bool { remains.withLock { $0 } }

    /// For a transaction that deletes.
    func mark() { remains.withLock { $0 = true } }

    /// Moves its pages to the file and truncates it, without waiting; if it is in use, the mark stays.
    func empty(_ db: Database) {
        try? db.execute(sql: "PRAGMA busy_timeout = 0")
        let isDone = (try? db.checkpoint(.truncate)) != nil
        try? db.execute(sql: "PRAGMA busy_timeout = \(Int(patience * 1000))")
        if isDone { remains.withLock { $0 = false } }
    }
}
