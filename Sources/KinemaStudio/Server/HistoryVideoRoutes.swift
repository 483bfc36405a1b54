import Foundation
import KinemaCore
import NIOHTTP1

/// `/api/history/ID/video`: a session's video.
extension StudioRoutes {
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
        guard videoIntakes.acquire() else {
            throw HTTPError(
                .tooManyRequests, "too-many-uploads", "Other videos are being received; try again.", closes: true)
        }
        defer { videoIntakes.release() }
        do {
            // Refuse before the client sends it.
            guard try await store.checkRoom(for: id, length) else { throw HTTPError.notFound }
            let file = try store.videos.begin()
            let bytes = try await intake.write(&body, to: file.handle)
            guard let session = try await store.keepVideo(id, file, SessionVideo(type: kind, bytes: bytes)) else {
                throw HTTPError.notFound
            }
            return .json(try session.json())
        } catch let error as KinemaError {
            throw HTTPError.refused(error)
        }
    }
}
