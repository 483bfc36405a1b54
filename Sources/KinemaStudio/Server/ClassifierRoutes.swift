import KinemaHTTP
import Foundation
import Kinema
import NIOHTTP1

/// `/api/classifiers`: trains classifiers on marked sessions and deletes them.
extension StudioRoutes {
    private struct Wish: Decodable {
        var name: String
        var sessions: [UUID]
    }

    private struct Trained: Encodable {
        var id: String
        var name: String
        var classes: [String]
        var clips: [String: Int]
        /// Null if nothing could be held out.
        @Nullable var accuracy: Double?
    }

    func classifiers(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        guard let store, let library else { throw HTTPError.noHistory }
        guard let id = segments.first else {
            try request.allow(.POST)
            return try await train(store, library, &body)
        }
        guard segments.count == 1, let id = id.removingPercentEncoding else { throw HTTPError.notFound }
        try request.allow(.DELETE)
        if try await library.delete(id) { return StudioResponse(.noContent) }
        guard !services.live.status().classifiers.contains(where: { $0.id == id }) else {
            throw HTTPError.notPossible("This classifier was given at the start and cannot be deleted.")
        }
        throw HTTPError.notFound
    }

    private func train(
        _ store: HistoryStore, _ library: ClassifierLibrary, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        let wish = try await body.json(
            Wish.self, atMost: limits.jsonBytes, expected: #"{"name": "my squats", "sessions": ["ID", "ID"]}"#)
        guard SessionAnnotation.isLabel(wish.name) else {
            throw HTTPError.invalid("A name must have 1 to \(SessionAnnotation.labelLength) printable characters.")
        }
        var known = Set<UUID>()
        let ids = wish.sessions.filter { known.insert($0).inserted }
        guard (1...limits.trainingSessions).contains(ids.count) else {
            throw HTTPError.invalid("Give 1 to \(limits.trainingSessions) sessions.")
        }
        guard library.all.count < limits.classifiers else {
            throw HTTPError.notPossible("The studio keeps at most \(limits.classifiers) classifiers; delete one.")
        }
        guard let permit = trainings.permit(for: body.client) else {
            throw HTTPError(
                .conflict, "busy", "A classifier is being trained; try again when it is finished.")
        }
        defer { withExtendedLifetime(permit) {} }
        let training = AnnotationTraining(store: store, limits: limits)
        let model = try await withTaskExecutorPreference(WorkQueue("training")) { try await training.train(ids) }
        do {
            let taken = Set(services.live.status().classifiers.map(\.id))
            let classifier = try await library.add(model, name: wish.name, taken: taken)
            let answer = Trained(
                id: classifier.id, name: wish.name, classes: model.classes, clips: model.summary.clips,
                accuracy: model.summary.heldOutClipAccuracy)
            return .json(try StoredSession.json(answer), status: .created)
        } catch let error as KinemaError {
            throw HTTPError.refused(error)
        }
    }
}
