import Foundation

/// A pool of at most `limit` inference requests, created on demand and shared by several streams.
// SAFETY: every access to the state happens under `condition`'s lock.
final class RequestPool: @unchecked Sendable {
    private let condition = NSCondition()
    private var idle: [InferenceRequestHandle] = []
    private var count = 0
    private let limit: Int

    init(limit: Int) { self.limit = max(1, limit) }

    /// Returns an idle request or a new one; waits while all requests are in use.
    func checkOut(orMake make: () throws -> InferenceRequestHandle) throws -> InferenceRequestHandle {
        condition.lock()
        defer { condition.unlock() }
        while idle.isEmpty, count >= limit { condition.wait() }
        if let request = idle.popLast() { return request }
        let request = try make()
        count += 1
        return request
    }

    func checkIn(_ request: InferenceRequestHandle) {
        condition.lock()
        idle.append(request)
        condition.signal()
        condition.unlock()
    }

    func removeAll() {
        condition.lock()
        idle.removeAll()
        condition.unlock()
    }
}
