import Foundation
import NIOHTTP1

/// Which answer belongs to which address.
struct StudioRoutes: Sendable {
    let files: StaticFiles
    let services: StudioServices
    let uploads: UploadRoutes
    let history: HistoryRoutes
    let status: StatusRoute

    /// Answers an admitted request; throws the error to answer otherwise.
    func answer(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        if let response = try files.answer(request) { return response }
        let segments = request.segments
        guard segments.first == "api", segments.count > 1 else { throw HTTPError.notFound }
        switch segments[1] {
        case "status" where segments.count == 2:
            return try status.answer(request)
        case "history": return try await history.answer(request, segments.dropFirst(2))
        case "uploads": return try await uploads.answer(request, segments.dropFirst(2), &body)
        default: throw HTTPError.notFound
        }
    }
}

/// `/api/status`: what this studio is and what can be chosen from.
struct StatusRoute: Sendable {
    let version: String
    let hasHistory: Bool
    let limits: LiveLimits
    let live: any LiveServing

    /// What the server itself says; the live service's part lies beside it in the same object.
    private struct Body: Encodable {
        let version: String
        let protocols = [LiveService.protocolVersion]
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
        guard request.method == .GET || request.method == .HEAD else { throw HTTPError.method("GET, HEAD") }
        let body = Body(version: version, history: hasHistory, limits: limits, live: live.status())
        return .json(try JSONEncoder().encode(body))
    }
}

/// `/api/history`: the sessions that were kept.
struct HistoryRoutes: Sendable {
    /// Nil where nothing is kept.
    let store: HistoryStore?
    let limits: StudioLimits
    let exports: ConcurrencyLimiter

    /// Answers a request whose path has these segments behind `/api/history`.
    func answer(_ request: StudioRequest, _ segments: ArraySlice<Substring>) async throws -> StudioResponse {
        guard let store else {
            throw HTTPError(.notFound, "no-history", "This studio was started without a history.")
        }
        guard let first = segments.first else {
            guard request.method == .GET || request.method == .HEAD else { throw HTTPError.method("GET, HEAD") }
            return try await list(request, store)
        }
        guard let id = UUID(uuidString: String(first)) else { throw HTTPError.notFound }
        switch segments.dropFirst() {
        case []: return try await session(request, id, store)
        case ["export"]:
            guard request.method == .GET || request.method == .HEAD else { throw HTTPError.method("GET, HEAD") }
            return try await export(request, id, store)
        default: throw HTTPError.notFound
        }
    }

    private func list(_ request: StudioRequest, _ store: HistoryStore) async throws -> StudioResponse {
        let mode = try request.parameter("mode").map { name in
            guard let mode = StoredSession.Mode(rawValue: name) else { throw HTTPError.parameter("mode") }
            return mode
        }
        let limit = try request.parameter("limit").map { text in
            guard let limit = Int(text), limit > 0 else { throw HTTPError.parameter("limit") }
            return min(limit, limits.sessions)
        }
        let sessions = try await store.sessions(
            mode: mode, from: try Self.date(request, "from"), to: try Self.date(request, "to"),
            limit: limit ?? limits.sessions)
        return .json(try StoredSession.json(["sessions": sessions]))
    }

    private func session(_ request: StudioRequest, _ id: UUID, _ store: HistoryStore) async throws -> StudioResponse {
        switch request.method {
        case .GET, .HEAD:
            guard let session = try await store.session(id) else { throw HTTPError.notFound }
            return .json(try session.json())
        case .DELETE:
            guard try await store.delete(id) else { throw HTTPError.notFound }
            return StudioResponse(.noContent)
        default: throw HTTPError.method("GET, HEAD, DELETE")
        }
    }

    private func export(_ request: StudioRequest, _ id: UUID, _ store: HistoryStore) async throws -> StudioResponse {
        guard let format = request.parameter("format").flatMap({ SessionFormat(argument: $0) }) else {
            throw HTTPError.parameter("format")
        }
        return try await exports.withPermit {
            guard let file = try await store.export(id, as: format) else { throw HTTPError.notFound }
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
        throw HTTPError.parameter(name)
    }
}

extension HTTPError {
    fileprivate static func parameter(_ name: String) -> HTTPError {
        HTTPError(.badRequest, "bad-request", "The parameter \(name) is absent or has no meaning here.")
    }
}
