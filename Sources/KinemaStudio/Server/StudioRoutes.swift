import Foundation
import Kinema
import NIOHTTP1

/// What all routes share: the services, the limits, and the work of which only some may run at once.
struct RouteContext: Sendable {
    let services: StudioServices
    let limits: StudioLimits
    let version: String
    let exports: ConcurrencyLimiter
    let trainings: ConcurrencyLimiter
    let videoIntakes: ConcurrencyLimiter
    /// A slow sender must not block exports.
    let archiveIntakes = ConcurrencyLimiter(1)

    init(_ services: StudioServices, _ configuration: StudioConfiguration) {
        (self.services, limits, version) = (services, configuration.limits, configuration.version)
        exports = ConcurrencyLimiter(configuration.limits.exports)
        trainings = ConcurrencyLimiter(configuration.limits.trainings)
        videoIntakes = ConcurrencyLimiter(configuration.limits.uploads)
    }
}

protocol Routes: Sendable {
    var context: RouteContext { get }
}

extension Routes {
    var limits: StudioLimits { context.limits }
    var exports: ConcurrencyLimiter { context.exports }
    var store: HistoryStore? { context.services.history }
    var library: ClassifierLibrary? { context.services.classifiers }
    var shelf: ExerciseShelf { context.services.exercises }
}

struct StudioRoutes: Sendable {
    let files: StaticFiles
    let context: RouteContext

    func answer(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        if let response = try files.answer(request) { return response }
        let segments = request.segments
        guard segments.first == "api", segments.count > 1 else { throw HTTPError.notFound }
        let rest = segments.dropFirst(2)
        switch segments[1] {
        case "status" where rest.isEmpty: return try StatusRoute(context: context).answer(request)
        case "history": return try await HistoryRoutes(context: context).answer(request, rest, &body)
        case "people": return try await PeopleRoutes(context: context).answer(request, rest, &body)
        case "classifiers": return try await ClassifierRoutes(context: context).answer(request, rest, &body)
        case "exercises": return try await ExerciseRoutes(context: context).answer(request, rest, &body)
        case "uploads": return try await UploadRoutes(context: context).answer(request, rest, &body)
        default: throw HTTPError.notFound
        }
    }
}

/// `/api/status`: the version, the limits and the choices of clients.
struct StatusRoute: Routes {
    let context: RouteContext

    private struct Body: Encodable {
        let version: String
        let protocols = [LiveService.protocolVersion]
        let history: Bool
        let limits: LiveLimits
        let cameras: [LiveConfiguration.Camera]
        let inputs: [String]
        let exercises: [LiveStatus.Exercise]
        let classifiers: [LiveStatus.Classifier]
    }

    func answer(_ request: StudioRequest) throws -> StudioResponse {
        try request.allow(.GET, .HEAD)
        let live = context.services.live.status()
        let body = Body(
            version: context.version, history: store != nil, limits: limits.live, cameras: live.cameras,
            inputs: live.inputs, exercises: live.exercises, classifiers: live.classifiers)
        return .json(try JSONEncoder.ordered.encode(body))
    }
}
