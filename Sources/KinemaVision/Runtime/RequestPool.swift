import Foundation

/// Requests that several streams share: made when wanted, at most `limit` of them.
// SAFETY: every access to the state happens under `condition`'s lock.
final class RequestPool: @unchecked Sendable {
    private let condition = NSCondition()
    private var idle: [InferenceRequestHandle] = []
    private var made = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// An idle request, a new one while there may be more, or the next one given back.
    func take(orMake make: () throws -> InferenceRequestHandle) throws -> InferenceRequestHandle {
        condition.lock()
        defer { condition.unlock() }
        while idle.isEmpty, made >= limit { condition.wait() }
        if let request = idle.popLast() { return request }
        let request = try make()
        made += 1
        return request
    }

    /// Takes a request back.
    func give(_ request: InferenceRequestHandle) {
        condition.lock()
        idle.append(request)
        condition.signal()
        condition.unlock()
    }

    /// Frees the idle requests.
    func removeAll() {
        condition.lock()
        idle.removeAll()
        condition.unlock()
    }
}
