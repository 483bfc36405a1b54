import KinemaHistory
import KinemaHTTP
import Foundation
import KinemaCore
import KinemaPhones
import NIOHTTP1

/// `/api/history`: the stored sessions and their annotations.
extension StudioRoutes {
    private struct OtherView: Encodable {
        var session: UUID
        var offset: Double
        var source: String
    }

    func history(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody, from caller: Caller
    ) async throws -> StudioResponse {
        guard let store else { throw HTTPError.noHistory }
        guard let first = segments.first else {
            try request.allow(.GET, .HEAD, .DELETE)
            if request.method == .DELETE { return try await deleteAll(request, store, &body) }
            return try await list(request, store)
        }
        if segments.count == 1, first == "labels" {
            try request.allow(.GET, .HEAD)
            return try await labels(request, store)
        }
        if segments.count == 1, first == "archive" { return try await archive(request, store, &body) }
        guard let id = UUID(uuidString: String(first)) else { throw HTTPError.notFound }
        switch segments.dropFirst() {
        case []: return try await session(request, id, store)
        case ["views"]:
            try request.allow(.GET, .HEAD)
            let found = try await store.views(of: id).map {
                OtherView(
                    session: $0.session.id, offset: ($0.offset * 1000).rounded() / 1000, source: $0.session.source)
            }
            return try .json(JSONEncoder.ordered.encode(["views": found]))
        case ["export"]:
            try request.allow(.GET, .HEAD)
            return try await export(request, id, store)
        case ["corrections"]:
            try request.allow(.PUT, .DELETE)
            guard request.method == .PUT else { return try await annotate(store, id, .corrections(nil)) }
            return try await put(
                &body, of: id, store, expected: #"{"repetitions": [{"id": 1, "start": 2.1, "end": 3.4}]}"#
            ) { (word: Corrections) in .corrections(word.repetitions) }
        case ["marks"]:
            try request.allow(.PUT)
            return try await put(
                &body, of: id, store, expected: #"{"marks": [{"start": 0.5, "end": 4.2, "label": "squat"}]}"#
            ) { (word: Marks) in .marks(word.marks) }
        case ["video"]:
            // A phone adds a film to its set, but replaces none.
            if caller.phone != nil, request.method == .PUT, try await store.video(id) != nil {
                throw PhoneGuard.ownerOnly
            }
            return try await video(request, id, store, &body)
        case ["note"]:
            try request.allow(.PUT)
            return try await put(&body, of: id, store, expected: #"{"note": "felt easy"}"#) { (word: Note) in
                .note(word.note)
            }
        case ["details"]:
            try request.allow(.PUT)
            let expected = #"{"name": "squat", "person": "Ada", "load": {"value": 40, "unit": "kg"}, "effort": 7}"#
            return try await put(&body, of: id, store, expected: expected) { (word: SessionDetails) in .details(word) }
        default: throw HTTPError.notFound
        }
    }

    private func list(_ request: StudioRequest, _ store: HistoryStore) async throws -> StudioResponse {
        let mode = try request.value("mode", StoredSession.Mode.init(rawValue:))
        let most = try request.value("limit") { text in Int(text).flatMap { $0 > 0 ? $0 : nil } } ?? .max
        let after = try request.value("after", SessionCursor.init(rawValue:))
        let page = try await store.list(
            mode: mode, from: try request.value("from", Self.date), to: try request.value("to", Self.date),
            filter: try SessionFilter(request), after: after, limit: min(most, limits.sessions))
        return .json(try StoredSession.json(page))
    }

    private func session(_ request: StudioRequest, _ id: UUID, _ store: HistoryStore) async throws -> StudioResponse {
        switch request.method {
        case .GET, .HEAD:
            guard let session = try await store.summary(id) else { throw HTTPError.notFound }
            return .json(try session.json())
        case .DELETE:
            guard try await store.delete(id) else { throw HTTPError.notFound }
            return deleted(from: store)
        default: throw HTTPError.method("GET, HEAD, DELETE")
        }
    }

    private func export(_ request: StudioRequest, _ id: UUID, _ store: HistoryStore) async throws -> StudioResponse {
        guard let format = request.parameter("format").flatMap({ SessionFormat(argument: $0) }) else {
            throw HTTPError.parameter("format")
        }
        return try await exports.answer(for: request.client) {
            guard let file = try await store.export(id, as: format) else { throw HTTPError.notFound }
            return StudioResponse(file)
        }
    }

    private func labels(_ request: StudioRequest, _ store: HistoryStore) async throws -> StudioResponse {
        try await exports.answer(for: request.client) {
            try await withTaskExecutorPreference(WorkQueue("export")) {
                let (file, size) = try await store.labels()
                return StudioResponse(
                    saved: "kinema-labels.zip", type: "application/zip", body: .open(file, count: size))
            }
        }
    }

    // MARK: Annotations

    private struct Corrections: Decodable {
        var repetitions: [CorrectedRepetition]
    }

    private struct Marks: Decodable {
        var marks: [SessionMark]
    }

    private struct Note: Decodable {
        var note: String
    }

    private func put<Body: Decodable>(
        _ body: inout RequestBody, of id: UUID, _ store: HistoryStore, expected: String,
        _ annotation: (Body) -> SessionAnnotation
    ) async throws -> StudioResponse {
        let word = try await body.json(Body.self, atMost: limits.jsonBytes, expected: expected)
        return try await annotate(store, id, annotation(word))
    }

    private func annotate(
        _ store: HistoryStore, _ id: UUID, _ annotation: SessionAnnotation
    ) async throws -> StudioResponse {
        do {
            guard let session = try await store.annotate(id, annotation) else { throw HTTPError.notFound }
            return .json(try session.json())
        } catch let error as KinemaError {
            throw HTTPError.refused(error)
        }
    }

    // MARK: A video

    func video(
        _ request: StudioRequest, _ id: UUID, _ store: HistoryStore, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        try request.allow(.GET, .HEAD, .PUT, .DELETE)
        switch request.method {
        case .PUT: return try await receive(request, id, store, &body)
        case .DELETE:
            guard try await store.deleteVideo(id) else { throw HTTPError.notFound }
            return StudioResponse(.noContent)
        default:
            guard let file = try await store.video(id) else { throw HTTPError.notFound }
            return try FileResponse.answer(request, file)
        }
    }

    private func receive(
        _ request: StudioRequest, _ id: UUID, _ store: HistoryStore, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        let type = request.headers.first(name: "content-type")?.prefix { $0 != ";" }.lowercased() ?? ""
        guard let kind = SessionVideo.Kind(rawValue: type.trimmingCharacters(in: .whitespaces)) else {
            throw HTTPError.notOfItsType
        }
        let intake = VideoIntake(limits: limits, kind: kind)
        let length = try intake.length(of: body)
        guard let permit = videoIntakes.permit(for: request.client) else {
            throw HTTPError(
                .tooManyRequests, "too-many-uploads", "Other videos are being received; try again.", closes: true)
        }
        defer { withExtendedLifetime(permit) {} }
        do {
            // Refuse before the client sends it.
            guard try await store.checkRoom(for: id, length) else { throw HTTPError.notFound }
            let file = try store.videos.begin()
            let bytes = try await intake.write(&body, to: file.handle)
            let isCovered = request.parameter("covered") == "true" ? true : nil
            let video = SessionVideo(type: kind, bytes: bytes, isCovered: isCovered)
            guard let session = try await store.keepVideo(id, file, video) else {
                throw HTTPError.notFound
            }
            return .json(try session.json())
        } catch let error as KinemaError {
            throw HTTPError.refused(error)
        }
    }

    /// A time or a day in ISO 8601. The styles also take an hour 99, a 31st of February and text at the end.
    private static func date(_ text: String) -> Date? {
        let day = Date.ISO8601FormatStyle().year().month().day()
        let form = #"^[0-9-]{10}(T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2}))?$"#
        let first = String(text.prefix(10))
        guard text.range(of: form, options: .regularExpression) != nil, let midnight = try? day.parse(first),
            day.format(midnight) == first
        else { return nil }
        let styles = [
            Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(), day,
        ]
        return styles.lazy.compactMap { try? $0.parse(text) }.first
    }
}

extension SessionFilter {
    /// Characters of a search.
    private static let wordsLength = 200

    init(_ request: StudioRequest) throws {
        func name(_ text: String) -> String? { SessionAnnotation.isLabel(SessionDetails.plain(text)) ? text : nil }
        self.init(
            person: try request.value("person", name), exercise: try request.value("exercise", name),
            workout: try request.value("workout", UUID.init(uuidString:)),
            words: try request.value("search") { $0.count <= Self.wordsLength ? $0 : nil })
    }
}

extension StudioRequest {
    /// A query parameter as a value; nil if absent. Throws for one that cannot be read.
    func value<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value? {
        try parameter(name).map { text in
            guard let value = read(text) else { throw HTTPError.parameter(name) }
            return value
        }
    }
}

extension HTTPError {
    static let noHistory = HTTPError(.notFound, "no-history", "This studio was started without a history.")

    static func parameter(_ name: String) -> HTTPError {
        invalid("The parameter \(name) is missing or invalid.")
    }

    /// The answer when the history refuses something: it is invalid, or there is no room.
    static func refused(_ error: KinemaError) -> HTTPError {
        error.code == .invalidArgument ? invalid(error.message) : HTTPError(error)
    }
}
