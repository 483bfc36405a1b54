import KinemaHistory
import KinemaHTTP
import Foundation
import KinemaCore
import NIOHTTP1

/// `/api/history/archive` and deletion of the whole history, or of one person's.
extension StudioRoutes {
    /// The confirmation to delete everything, in the body or in this header field.
    private static let (confirmation, field) = ("delete everything", "x-kinema-confirm")

    private struct Confirmation: Decodable {
        var confirm: String
    }

    func archive(
        _ request: StudioRequest, _ store: HistoryStore, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        try request.allow(.GET, .HEAD, .POST)
        guard request.method == .POST else { return try await exportArchive(request, store) }
        return try await take(request, store, &body)
    }

    /// The archive of everything, or of a person.
    func exportArchive(
        _ request: StudioRequest, of person: String? = nil, _ store: HistoryStore
    ) async throws -> StudioResponse {
        let withVideos = try request.value("videos") { Bool($0) } ?? false
        return try await exports.answer(for: request.client) {
            try await withTaskExecutorPreference(WorkQueue("export")) {
                let (file, size) = try await store.archive(of: person, withVideos: withVideos)
                return StudioResponse(
                    saved: "kinema-history.zip", type: "application/zip", body: .open(file, count: size))
            }
        }
    }

    private func take(_ request: StudioRequest, _ store: HistoryStore, _ body: inout RequestBody) async throws
        -> StudioResponse
    {
        let length = try body.announced("The archive", atMost: limits.archiveBytes)
        guard let permit = archiveIntakes.permit(for: request.client) else { throw HTTPError.busy }
        defer { withExtendedLifetime(permit) {} }
        do {
            let file = try store.makeUnnamedFile()
            try await body.write(to: file, length)
            let result = try await withTaskExecutorPreference(WorkQueue("import")) {
                try await store.importAll(file, size: length, path: "archive")
            }
            try await library?.load()
            shelf.load()
            return .json(try StoredSession.json(result))
        } catch let error as KinemaError {
            guard error.code == .unreadableInput else { throw HTTPError.refused(error) }
            throw HTTPError.invalid("The archive \(error.message).")
        }
    }

    /// Deletes every session, video, classifier and taught exercise, or those of a person, after a confirmation.
    func deleteAll(
        _ request: StudioRequest, of person: String? = nil, _ store: HistoryStore, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        var word = request.headers.first(name: Self.field)
        if word == nil {
            let data = try await body.collect(atMost: limits.jsonBytes)
            word = (try? JSONDecoder().decode(Confirmation.self, from: data))?.confirm
        }
        guard word == Self.confirmation else {
            throw HTTPError.invalid(#"To delete everything, send {"confirm": "\#(Self.confirmation)"}."#)
        }
        if let person {
            guard try await store.deleteAll(of: person) > 0 else { throw HTTPError.notFound }
        } else {
            _ = try await store.deleteAll()
            try await library?.load()
        }
        shelf.load()
        return deleted(from: store)
    }

    /// `/api/people`: the people whose sets are stored.
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
