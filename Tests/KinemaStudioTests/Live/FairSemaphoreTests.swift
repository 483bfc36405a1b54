import KinemaHTTP
import KinemaTestSupport
import Testing

@testable import KinemaStudio

@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct FairSemaphoreTests {
    /// Waits until that many tasks wait for a permit.
    private func waits(_ count: Int, for semaphore: FairSemaphore) async {
        while semaphore.waiting < count { await Task.yield() }
    }

    @Test func `waiters are served in the order in which they came`() async throws {
        let semaphore = FairSemaphore(permits: 1)
        let order = SlowAnalysis.Log()
        var tasks: [Task<Void, any Error>] = []
        try await semaphore.withPermit {
            for number in 0..<5 {
                tasks.append(Task { try await semaphore.withPermit { order.add(Double(number)) } })
                await waits(number + 1, for: semaphore)
            }
        }
        for task in tasks { try await task.value }
        #expect(order.times == [0, 1, 2, 3, 4])
    }

    @Test func `a task that is cancelled while it waits gives up its place`() async throws {
        let semaphore = FairSemaphore(permits: 1)
        try await semaphore.withPermit {
            let waiter = Task { try await semaphore.withPermit {} }
            await waits(1, for: semaphore)
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
            #expect(semaphore.waiting == 0)
        }
        // The permit is free again.
        try await semaphore.withPermit {}
    }

    @Test func `waiters hear of each change of their place`() async throws {
        let semaphore = FairSemaphore(permits: 1)
        let logs = [SlowAnalysis.Log(), SlowAnalysis.Log()]
        var tasks: [Task<Void, any Error>] = []
        try await semaphore.withPermit {
            for (number, log) in logs.enumerated() {
                tasks.append(Task { try await semaphore.withPermit(place: { log.add(Double($0)) }) {} })
                await waits(number + 1, for: semaphore)
            }
        }
        for task in tasks { try await task.value }
        #expect(logs.map(\.times) == [[1], [2, 1]])
    }

    @Test func `a permit is given back when the body throws`() async throws {
        struct Failure: Error {}
        let semaphore = FairSemaphore(permits: 1)
        await #expect(throws: Failure.self) { try await semaphore.withPermit { throw Failure() } }
        try await semaphore.withPermit {}
    }
}
