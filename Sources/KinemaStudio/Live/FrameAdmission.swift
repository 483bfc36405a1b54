import KinemaHTTP
import Foundation
import Synchronization

/// Checks the order, the times and the rate of a client's frames.
struct FrameAdmission: Sendable {
    private var rate: TokenBucket
    private var last: (sequence: UInt32, time: Double)?
    private var first: Double?
    private var step = 1.0 / 30
    private var warned: ContinuousClock.Instant?

    /// The longest session, seconds: eleven days.
    private static let longest = 1e6

    init(framesPerSecond: Int) {
        rate = TokenBucket(perSecond: max(1, framesPerSecond), burst: max(1, framesPerSecond))
    }

    enum Decision: Equatable {
        case admitted(Range<Int>)
        /// Reported to the client at most once a second.
        case tooFast(isReported: Bool)
        case refused(LiveProblem)
    }

    mutating func check(_ frame: FrameMessage, at now: ContinuousClock.Instant) -> Decision {
        if let last {
            guard frame.sequence > last.sequence, frame.time > last.time else {
                return .refused(
                    LiveProblem(
                        .wrongOrder, "sequence numbers and times of capture must increase", sequence: frame.sequence))
            }
            step = min(max(frame.time - last.time, 0.001), 1)
        }
        let time = frame.time - (first ?? frame.time)
        guard time < Self.longest else {
            return .refused(LiveProblem(.wrongOrder, "session too long; start a new one", sequence: frame.sequence))
        }
        first = first ?? frame.time
        last = (frame.sequence, frame.time)
        guard rate.admits(at: now) else {
            let isReported = warned.map { now - $0 >= .seconds(1) } ?? true
            if isReported { warned = now }
            return .tooFast(isReported: isReported)
        }
        let start = Int((time * 1e6).rounded())
        return .admitted(start..<start + max(1, Int((step * 1e6).rounded())))
    }
}

/// Limits simultaneous work and admits tasks in order. The sessions take turns at the models with it, one frame each, and
/// uploads at being analysed.
final class FairSemaphore: Sendable {
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
    init(permits: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)) {
        state = Mutex(State(permits: max(1, permits)))
    }

    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Runs the body with a permit; throws `CancellationError` if the task is cancelled while it waits. `place` hears of
    /// each change of its place in the queue, from 1, until then; it must not wait.
    func withPermit<Result>(
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
