import Foundation
import NIOHTTP1

/// Which answer belongs to which address.
struct StudioRoutes: Sendable {
    let files: PageFiles
    let services: StudioServices
    let uploads: UploadRoutes
    let history: HistoryRoutes
    let status: StatusRoute

    /// Answers a request that was let in; throws a refusal otherwise.
    func answer(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        if let response = try files.answer(request) { return response }
        let segments = request.segments
        guard segments.first == "api", segments.count > 1 else { throw Refusal.notFound }
        switch segments[1] {
        case "status" where segments.count == 2:
            return try status.answer(request)
        case "history": return try await history.answer(request, segments.dropFirst(2))
        case "uploads": return try await uploads.answer(request, segments.dropFirst(2), &body)
        default: throw Refusal.notFound
        }
    }
}
