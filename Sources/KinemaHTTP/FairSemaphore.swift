import Foundation
import Synchronization

/// Limits simultaneous work and admits tasks in order. The sessions take turns at the models with it, one frame each, and
/// uploads at being analysed.
package final class FairSemaphore: Sendable {
    private struct State {
        var permits: Int
        var nextID = 0
        var waiters:
            [(id: Int, place: (@Sendable (Int) -> Void)?, continuation: CheckedContinuation<Void, any Error>)] =
                []

        /// Tells the waiters from an index on their places, counted from 1.
        func tellPlaces(from first: Int) {
            for index in waiters.indices.dropFirst(first) { waiters[index].place?(index + 1) }
        }
    }

    private let state: Mutex<State>

    /// By default all cores but one, which is left for the network and a browser on the same machine.
    package init(permits: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)) {
        state = Mutex(State(permits: max(1, permits)))
    }

    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Runs the body with a permit; throws `CancellationError` if the task is cancelled while it waits. `place` hears of
    /// each change of its place in the queue, from 1, until then; it must not wait.
    package func withPermit<Result>(
        place: (@Sendable (Int) -> Void)? = nil, _ body: () async throws -> Result
    ) async throws -> Result {
        try await acquire(place)
        defer { release() }
        return try await body()
    }

    private func acquire(_ place: (@Sendable (Int) -> Void)?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Swift.Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.permits == 0 else {
                        state.permits -= 1
                        return .success(())
                    }
                    state.waiters.append((id, place, continuation))
                    place?(state.waiters.count)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                    return CheckedContinuation<Void, any Error>?.none
                }
                let waiter = state.waiters.remove(at: index)
                state.tellPlaces(from: index)
                return waiter.continuation
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiters.isEmpty else {
                state.permits += 1
                return nil
            }
            let first = state.waiters.removeFirst()
            state.tellPlaces(from: 0)
            return first.continuation
        }
        next?.resume()
    }
}

/// The clients that wait until they may send a video, in the order in which they came.
struct UploadQueue {
    private struct Waiting {
        var ticket: UUID
        var client: ClientAddress
        var lastAsked: ContinuousClock.Instant
    }

    private var waiting: [Waiting] = []

    /// A client that has not asked for as long has left; the page asks every two seconds.
    private static let patience = Duration.seconds(20)
    /// Four times the sockets that a studio serves.
    private static let most = 64

    /// The clients before one that asks, which waits from now on.
    mutating func ahead(of ticket: UUID, _ client: ClientAddress, at now: ContinuousClock.Instant) -> [ClientAddress] {
        waiting.removeAll { now - $0.lastAsked > Self.patience }
        if let place = waiting.firstIndex(where: { $0.ticket == ticket }) {
            waiting[place].lastAsked = now
            return waiting[..<place].map(\.client)
        }
        let before = waiting.map(\.client)
        if waiting.count < Self.most { waiting.append(Waiting(ticket: ticket, client: client, lastAsked: now)) }
        return before
    }

    mutating func leave(_ ticket: UUID) { waiting.removeAll { $0.ticket == ticket } }
}

/// A stored upload as its client's list shows it.
package struct ListedUpload: Sendable, Equatable, Encodable {
    package var upload: String
    package var name: String
    package var bytes: Int
    /// Whether it is being received, waits or is analysed, or was used a moment ago.
    package var isNeeded: Bool
}
