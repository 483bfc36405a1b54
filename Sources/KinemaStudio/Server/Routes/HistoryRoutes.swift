import Foundation
import NIOHTTP1

/// `/api/history`: the sessions that were kept.
struct HistoryRoutes: Sendable {
    /// Nil where nothing is kept.
    let store: HistoryStore?
    let limits: StudioLimits
    let exports: Permits

    /// Answers a request whose path has these segments behind `/api/history`.
    func answer(_ request: StudioRequest, _ segments: ArraySlice<Substring>) async throws -> StudioResponse {
        guard let store else {
            throw Refusal(.notFound, "no-history", "This studio was started without a history.")
        }
        guard let first = segments.first else {
            guard request.method == .GET || request.method == .HEAD else { throw Refusal.method("GET, HEAD") }
            return try await list(request, store)
        }
        guard let id = UUID(uuidString: String(first)) else { throw Refusal.notFound }
        switch segments.dropFirst() {
        case []: return try await session(request, id, store)
        case ["export"]:
            guard request.method == .GET || request.method == .HEAD else { throw Refusal.method("GET, HEAD") }
            return try await export(request, id, store)
        default: throw Refusal.notFound
        }
    }

    private func list(_ request: StudioRequest, _ store: HistoryStore) async throws -> StudioResponse {
        let mode = try request.parameter("mode").map { name in
            guard let mode = KeptSession.Mode(rawValue: name) else { throw Refusal.parameter("mode") }
            return mode
        }
        let limit = try request.parameter("limit").map { text in
            guard let limit = Int(text), limit > 0 else { throw Refusal.parameter("limit") }
            return min(limit, limits.sessions)
        }
        let sessions = try await store.sessions(
            mode: mode, from: try Self.date(request, "from"), to: try Self.date(request, "to"),
            limit: limit ?? limits.sessions)
        return .json(try KeptSession.json(["sessions": sessions]))
    }

    private func session(_ request: StudioRequest, _ id: UUID, _ store: HistoryStore) async throws -> StudioResponse {
        switch request.method {
        case .GET, .HEAD:
            guard let session = try await store.session(id) else { throw Refusal.notFound }
            return .json(try session.json())
        case .DELETE:
            guard try await store.delete(id) else { throw Refusal.notFound }
            return StudioResponse(.noContent)
        default: throw Refusal.method("GET, HEAD, DELETE")
        }
    }

    private func export(_ request: StudioRequest, _ id: UUID, _ store: HistoryStore) async throws -> StudioResponse {
        guard let format = request.parameter("format").flatMap({ SessionFormat(argument: $0) }) else {
            throw Refusal.parameter("format")
        }
        return try await exports.during {
            guard let file = try await store.export(id, as: format) else { throw Refusal.notFound }
            return StudioResponse(file)
        }
    }

    /// A moment or a day in ISO 8601.
    private static func date(_ request: StudioRequest, _ name: String) throws -> Date? {
        guard let text = request.parameter(name) else { return nil }
        let styles = [
            Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(),
            Date.ISO8601FormatStyle().year().month().day(),
        ]
        for style in styles {
            if let date = try? style.parse(text) { return date }
        }
        throw Refusal.parameter(name)
    }
}

extension Refusal {
    fileprivate static func parameter(_ name: String) -> Refusal {
        Refusal(.badRequest, "bad-request", "The parameter \(name) is absent or has no meaning here.")
    }
}
