import KinemaHTTP
import Foundation
import Kinema
import NIOCore
import NIOHTTP1

/// `/api/uploads`: receives videos and returns the files made from them.
extension StudioRoutes {
    private struct Received: Encodable {
        let upload: String
        let name: String
        let bytes: Int
        /// The names of the uploads that left to make room.
        let displaced: [String]
        let files = StudioRoutes.products
    }

    private struct Listed: Encodable {
        let uploads: [ListedUpload]
        /// Minutes without use after which one leaves.
        let minutes: Int
        let position: Int?
    }

    private static let products =
        ["overlay.mp4", "poses.jsonl"] + PoseExportFormat.allCases.map { "poses.\($0.downloadEnding)" }

    func uploads(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        guard let id = segments.first else {
            guard request.method != .GET else { return try await list(request) }
            guard request.method == .POST else { throw HTTPError.method("GET, POST") }
            return try await receive(request, &body)
        }
        if segments.count == 1 {
            guard request.method == .DELETE else { throw HTTPError.method("DELETE") }
            guard await services.uploads.remove(String(id)) else { throw HTTPError.notFound }
            return StudioResponse(.noContent)
        }
        guard segments.count == 2, let upload = await services.uploads.upload(String(id)) else {
            throw HTTPError.notFound
        }
        guard request.method == .GET || request.method == .HEAD else { throw HTTPError.method("GET, HEAD") }
        return try await product(request, String(segments.last ?? ""), upload)
    }

    private func list(_ request: StudioRequest) async throws -> StudioResponse {
        var position: Int?
        if let ticket = try request.value("ticket", UUID.init(uuidString:)) {
            position = await services.uploads.place(of: ticket, for: request.client)
        }
        let listed = Listed(
            uploads: await services.uploads.list(for: request.client),
            minutes: Int(limits.uploadIdleTimeout / .seconds(60)), position: position)
        return .json(try JSONEncoder.ordered.encode(listed))
    }

    // MARK: In

    private func receive(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        let type = request.headers.first(name: "content-type")?.lowercased() ?? "application/octet-stream"
        guard type.hasPrefix("video/") || type.hasPrefix("image/gif") || type.hasPrefix("application/octet-stream")
        else { throw HTTPError.notVideo }
        let intake = VideoIntake(limits: limits)
        _ = try intake.length(of: body)
        let (upload, file) = try await services.uploads.beginInTurn(
            name: request.parameter("name") ?? "", for: request.client,
            ticket: try request.value("ticket", UUID.init(uuidString:)))
        do {
            let bytes = try await intake.write(&body, to: file)
            try file.close()
            try await services.uploads.complete(upload)
            let answer = Received(
                upload: upload.id, name: upload.name, bytes: bytes, displaced: upload.displaced)
            return .json(try JSONEncoder.ordered.encode(answer), status: .created)
        } catch {
            try? file.close()
            await services.uploads.remove(upload.id)
            throw error
        }
    }

    // MARK: Out

    private func product(_ request: StudioRequest, _ name: String, _ upload: StudioUpload) async throws
        -> StudioResponse
    {
        switch name {
        case "overlay.mp4": return try FileResponse.answer(request, upload.overlay)
        case "poses.jsonl": return try FileResponse.answer(request, upload.poses)
        default:
            let ending = name.dropFirst("poses.".count)
            guard name.hasPrefix("poses."),
                let format = PoseExportFormat.allCases.first(where: { $0.downloadEnding == ending })
            else {
                throw HTTPError.notFound
            }
            return try await exports.answer(for: request.client) {
                try await withTaskExecutorPreference(WorkQueue("export")) { try export(upload, format) }
            }
        }
    }

    private func export(_ upload: StudioUpload, _ format: PoseExportFormat) throws -> StudioResponse {
        guard let lines = try? Data(contentsOf: upload.poses, options: .alwaysMapped) else { throw HTTPError.notMade }
        let stem = upload.name.split(separator: ".").first.map(String.init) ?? "video"
        return StudioResponse(
            try ExportedFile.poses(PoseLinesReader.frames(lines, file: upload.name), as: format, stem: stem))
    }
}

extension HTTPError {
    static let notVideo = HTTPError(
        .unsupportedMediaType, "no-video",
        "This is not a video that the studio can read, such as MP4, MOV, MKV, WebM or AVI.", closes: true)
}
