import Foundation
import NIOHTTP1

/// `/api/status`: what this studio is and what can be chosen from.
struct StatusRoute: Sendable {
    let version: String
    let hasHistory: Bool
    let limits: LiveLimits
    let live: any LiveServing

    /// What the server itself says; the live service's part lies beside it in the same object.
    private struct Body: Encodable {
        let version: String
        let protocols = [1]
        let history: Bool
        let limits: LiveLimits
        let live: LiveStatus

        enum Key: CodingKey { case version, protocols, history, limits }

        func encode(to encoder: any Encoder) throws {
            try live.encode(to: encoder)
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(version, forKey: .version)
            try fields.encode(protocols, forKey: .protocols)
            try fields.encode(history, forKey: .history)
            try fields.encode(limits, forKey: .limits)
        }
    }

    func answer(_ request: StudioRequest) throws -> StudioResponse {
        guard request.method == .GET || request.method == .HEAD else { throw Refusal.method("GET, HEAD") }
        let body = Body(version: version, history: hasHistory, limits: limits, live: live.status())
        return .json(try JSONEncoder().encode(body))
    }
}
