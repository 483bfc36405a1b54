import Synchronization

/// Where frames wait for their turn: the newest takes the place of the one that waits.
final class FrameMailbox<Frame: Sendable>: Sendable {
    private struct State {
        var ledger = FrameLedger<Frame>()
        var isClosed = false
        /// Nothing more will come, but what waits is still wanted.
        var isFinished = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var counts: FrameCounts { state.withLock { FrameCounts($0.ledger) } }

    /// Takes a frame in; returns the one it overtakes, or itself when nobody takes frames any more.
    func offer(_ frame: Frame) -> Frame? {
        let (overtaken, waiter) = state.withLock { state -> (Frame?, CheckedContinuation<Void, Never>?) in
            guard !state.isClosed, !state.isFinished else {
                state.ledger.refuse()
                return (frame, nil)
            }
            let overtaken = state.ledger.offer(frame)
            defer { state.waiter = nil }
            return (overtaken, state.waiter)
        }
        waiter?.resume()
        return overtaken
    }

    /// Counts a frame as sent and dropped.
    func refuse() {
        state.withLock { $0.ledger.refuse() }
    }

    /// Waits until a frame is there; false once the box is closed. For one reader.
    func waitForFrame() async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReady = state.withLock { state -> Bool in
                if state.isClosed || state.isFinished || state.ledger.waiting != nil { return true }
                state.waiter = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { !$0.isClosed && $0.ledger.waiting != nil }
    }

    /// The newest frame, which counts as being analysed until it is settled; nil when the box was closed meanwhile.
    func take() -> Frame? {
        state.withLock { $0.isClosed ? nil : $0.ledger.take() }
    }

    /// The frame that was taken has been analysed, or could not be.
    func settle(analysed: Bool) {
        state.withLock { $0.ledger.settle(analysed: analysed) }
    }

    /// Nothing more will come; what waits is still analysed.
    func finish() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Lets nobody in any more; returns the frame that waited.
    func close() -> Frame? {
        let (frame, waiter) = state.withLock { state -> (Frame?, CheckedContinuation<Void, Never>?) in
            state.isClosed = true
            defer { state.waiter = nil }
            return (state.ledger.giveUp(), state.waiter)
        }
        waiter?.resume()
        return frame
    }
}
