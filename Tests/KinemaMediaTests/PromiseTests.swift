import Testing

@testable import KinemaMedia

@Suite(.timeLimit(.minutes(10))) struct PromiseTests {
    @Test func `the first value given counts, whether the wait began before or after`() async throws {
        let promise = Promise<Int>()
        let waiting = Task { try await promise.value }
        promise.fulfil(.success(1))
        promise.fulfil(.success(2))
        #expect(try await waiting.value == 1)
        #expect(try await promise.value == 1)
    }

    @Test func `cancelling a task ends its wait`() async throws {
        let promise = Promise<Int>()
        let waiting = Task { try await promise.value }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
