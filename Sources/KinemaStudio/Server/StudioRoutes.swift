import Foundation
import Kinema
import NIOHTTP1

struct StudioRoutes: Sendable {
    let files: StaticFiles
    let services: StudioServices
    let uploads: UploadRoutes
    let history: HistoryRoutes
    let people: PeopleRoutes
    let classifiers: ClassifierRoutes
    let exercises: ExerciseRoutes
    let status: StatusRoute

    func answer(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        if let response = try files.answer(request) { return response }
        let segments = request.segments
        guard segments.first == "api", segments.count > 1 else { throw HTTPError.notFound }
        switch segments[1] {
        case "status" where segments.count == 2:
            return try status.answer(request)
        case "history": return try await history.answer(request, segments.dropFirst(2), &body)
        case "people": return try await people.answer(request, segments.dropFirst(2), &body)
        case "classifiers": return try await classifiers.answer(request, segments.dropFirst(2), &body)
        case "exercises": return try await exercises.answer(request, segments.dropFirst(2), &body)
        case "uploads": return try await uploads.answer(request, segments.dropFirst(2), &body)
        default: throw HTTPError.notFound
        }
    }
}

/// `/api/status`: the version, the limits and the choices of clients.
struct StatusRoute: Sendable {
    let version: String
    let hasHistory: Bool
    let limits: LiveLimits
    let live: any LiveServing

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
        return .json(try JSONEncoder.ordered.encode(body))
    }
}
