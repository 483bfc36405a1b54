import Foundation
import NIOHTTP1

/// Which answer belongs to which address.
struct StudioRoutes: Sendable {
    let files: PageFiles
    let services: StudioServices
    let limits: StudioLimits

    /// Answers a request that was let in; throws a refusal otherwise.
    func answer(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        if let response = try files.answer(request) { return response }
        throw Refusal.notFound
    }
}
