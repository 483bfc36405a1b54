import Synchronization

/// Limits connections or sockets, in total and per address; a new one replaces the one that has been idle longest.
final class ConnectionLimiter: Sendable {
    struct Slot: Sendable {
        fileprivate let number: Int
        fileprivate let limiter: ConnectionLimiter

        func markBusy() { limiter.mark(number, isIdle: false) }
        func markIdle() { limiter.mark(number, isIdle: true) }
        func remove() { limiter.remove(number) }
    }

    private struct Entry {
        let address: String
        let close: @Sendable () -> Void
        /// Rises with each slot that becomes idle; nil while busy.
        var idleSince: Int?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var clock = 0
        var isClosed = false

        mutating func tick() -> Int {
            clock += 1
            return clock
        }

        func longestIdle(of address: String?) -> Int? {
            entries.filter { $0.value.idleSince != nil && (address == nil || $0.value.address == address) }
                .min { ($0.value.idleSince ?? 0) < ($1.value.idleSince ?? 0) }?.key
        }
    }

    private let limit: Int
    private let limitPerAddress: Int
    private let state = Mutex(State())

    init(_ limit: Int, perAddress limitPerAddress: Int) {
        (self.limit, self.limitPerAddress) = (limit, limitPerAddress)
    }

    /// Adds an idle connection with its `close`, replacing another idle one; nil if all are busy, and after `closeAll`.
    func add(_ client: ClientAddress, close: @escaping @Sendable () -> Void) -> Slot? {
        let (number, displaced) = state.withLock { state -> (Int?, Entry?) in
            guard !state.isClosed else { return (nil, nil) }
            let address = client.key
            var displaced: Entry?
            let isAddressFull = state.entries.count { $0.value.address == address } >= limitPerAddress
            if isAddressFull || state.entries.count >= client.share(of: limit) {
                guard let oldest = state.longestIdle(of: isAddressFull ? address : nil) else { return (nil, nil) }
                displaced = state.entries.removeValue(forKey: oldest)
            }
            let number = state.tick()
            state.entries[number] = Entry(address: address, close: close, idleSince: number)
            return (number, displaced)
        }
        displaced?.close()
        return number.map { Slot(number: $0, limiter: self) }
    }

    func closeAll() {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.entries.values
        }
        for entry in entries { entry.close() }
    }

    private func mark(_ number: Int, isIdle: Bool) {
        state.withLock { state in
            let moment = state.tick()
            state.entries[number]?.idleSince = isIdle ? moment : nil
        }
    }

    private func remove(_ number: Int) { state.withLock { $0.entries[number] = nil } }
}
