import Foundation
import Kinema
import KinemaCore
import NIOHTTP1

/// The page's files and `/api/`: the services, the limits, and the limiters of concurrent work.
struct StudioRoutes: Sendable {
    private let files: StaticFiles
    let services: StudioServices
    let limits: StudioLimits
    private let version: String
    private let report: @Sendable (Diagnostic) -> Void
    let exports: ConcurrencyLimiter
    let trainings: ConcurrencyLimiter
    let videoIntakes: ConcurrencyLimiter
    /// A slow sender must not block exports.
    let archiveIntakes = ConcurrencyLimiter(2, perAddress: 1)

    init(_ files: StaticFiles, _ services: StudioServices, _ configuration: StudioConfiguration) {
        (self.files, self.services) = (files, services)
        (limits, version, report) = (configuration.limits, configuration.version, configuration.report)
        exports = ConcurrencyLimiter(
            configuration.limits.exports, perAddress: configuration.limits.exportsPerAddress)
        trainings = ConcurrencyLimiter(configuration.limits.trainings)
        videoIntakes = ConcurrencyLimiter(
            configuration.limits.uploads, perAddress: configuration.limits.uploadsPerAddress)
    }

    var store: HistoryStore? { services.history }
    var library: ClassifierLibrary? { services.classifiers }
    var shelf: ExerciseShelf { services.exercises }

    func answer(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        if let response = try files.answer(request) { return response }
        let segments = request.segments
        guard segments.first == "api", segments.count > 1 else { throw HTTPError.notFound }
        let rest = segments.dropFirst(2)
        switch segments[1] {
        case "status" where rest.isEmpty: return try status(request)
        case "history": return try await history(request, rest, &body)
        case "people": return try await people(request, rest, &body)
        case "classifiers": return try await classifiers(request, rest, &body)
        case "exercises": return try await exercises(request, rest, &body)
        case "uploads": return try await uploads(request, rest, &body)
        default: throw HTTPError.notFound
        }
    }

    /// The answer after deleting, which succeeds even if the history's log could not be emptied.
    func deleted(from store: HistoryStore) -> StudioResponse {
        if store.hasRemains {
            report(
                Diagnostic(
                    "history.remains",
                    "another program has the history open, so deleted data can still be read in its log; the studio "
                        + "empties it when that program has finished"))
        }
        return StudioResponse(.noContent)
    }

    /// The body of `/api/status`: the version, the limits and the choices of clients.
    private struct Status: Encodable {
        let version: String
        let protocols = [LiveService.protocolVersion]
        let history: Bool
        let limits: LiveLimits
        let cameras: [LiveConfiguration.Camera]
        let inputs: [String]
        let exercises: [LiveStatus.Exercise]
        let classifiers: [LiveStatus.Classifier]
    }

    private func status(_ request: StudioRequest) throws -> StudioResponse {
        try request.allow(.GET, .HEAD)
        let live = services.live.status()
        let body = Status(
            version: version, history: store != nil, limits: limits.live, cameras: live.cameras,
            inputs: live.inputs, exercises: live.exercises, classifiers: live.classifiers)
        return .json(try JSONEncoder.ordered.encode(body))
    }
}
