import Synchronization

/// The connections there are: so many in all and of one address. Where they are full, the one that has had no request
/// in hand for longest makes room for a new one.
final class Places: Sendable {
    /// One connection's place, given back by `leave`.
    struct Place: Sendable {
        fileprivate let number: Int
        fileprivate let places: Places

        /// A request that was let in is in hand: the connection is not closed for another.
        func occupy() { places.mark(number, isIdle: false) }
        /// The request is done with.
        func release() { places.mark(number, isIdle: true) }
        /// The connection is over.
        func leave() { places.remove(number) }
    }

    private struct Entry {
        let address: String
        let close: @Sendable () -> Void
        /// Counts up with every place that becomes idle; nil while it is not.
        var idleSince: Int?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var clock = 0

        mutating func tick() -> Int {
            clock += 1
            return clock
        }

        func longestIdle(of address: String?) -> Int? {
            entries.filter { $0.value.idleSince != nil && (address == nil || $0.value.address == address) }
                .min { ($0.value.idleSince ?? 0) < ($1.value.idleSince ?? 0) }?.key
        }
    }

    private let most: Int
    private let mostOfOne: Int
    private let state = Mutex(State())

    init(_ most: Int, ofOne mostOfOne: Int) {
        self.most = most
        self.mostOfOne = mostOfOne
    }

    /// Takes a place, idle at first; `close` ends the connection when another needs the place. Nil where none is left
    /// and all are at work.
    func take(_ client: ClientAddress, close: @escaping @Sendable () -> Void) -> Place? {
        let (number, displaced) = state.withLock { state -> (Int?, Entry?) in
            let address = client.key
            var displaced: Entry?
            let isFullOfOne = state.entries.count { $0.value.address == address } >= mostOfOne
            if isFullOfOne || state.entries.count >= most {
                guard let oldest = state.longestIdle(of: isFullOfOne ? address : nil) else { return (nil, nil) }
                displaced = state.entries.removeValue(forKey: oldest)
            }
            let number = state.tick()
            state.entries[number] = Entry(address: address, close: close, idleSince: number)
            return (number, displaced)
        }
        displaced?.close()
        return number.map { Place(number: $0, places: self) }
    }

    private func mark(_ number: Int, isIdle: Bool) {
        state.withLock { state in
            let moment = state.tick()
            state.entries[number]?.idleSince = isIdle ? moment : nil
        }
    }

    private func remove(_ number: Int) {
        state.withLock { $0.entries[number] = nil }
    }
}
