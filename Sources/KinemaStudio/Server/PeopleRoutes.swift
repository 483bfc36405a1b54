import Foundation
import KinemaCore
import NIOHTTP1

/// `/api/people`: those who the sets belong to.
extension StudioRoutes {
    func people(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        guard let store else { throw HTTPError.noHistory }
        guard let first = segments.first else {
            try request.allow(.GET, .HEAD)
            return .json(try StoredSession.json(["people": try await store.people()]))
        }
        guard let name = String(first).removingPercentEncoding.map(SessionDetails.plain), !name.isEmpty else {
            throw HTTPError.notFound
        }
        switch segments.dropFirst() {
        case []:
            try request.allow(.DELETE)
            return try await deleteAll(request, of: name, store, &body)
        case ["archive"]:
            try request.allow(.GET, .HEAD)
            let hasSets = try await store.people().contains { $0.name == name }
            let hasTaught = try await !store.taught(by: name).isEmpty
            guard hasSets || hasTaught else { throw HTTPError.notFound }
            return try await exportArchive(request, of: name, store)
        default: throw HTTPError.notFound
        }
    }
}
