import Foundation
import Kinema
import NIOCore
import NIOHTTP1

/// `/api/uploads`: takes videos in, and gives out what was made of them.
struct UploadRoutes: Sendable {
    let store: UploadStore
    let limits: StudioLimits
    let exports: Permits

    private struct Received: Encodable {
        let upload: String
        let name: String
        let bytes: Int
    }

    /// Answers a request whose path has these segments behind `/api/uploads`.
    func answer(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        guard let id = segments.first else {
            guard request.method == .POST else { throw Refusal.method("POST") }
            return try await receive(request, &body)
        }
        if segments.count == 1 {
            guard request.method == .DELETE else { throw Refusal.method("DELETE") }
            guard await store.remove(String(id)) else { throw Refusal.notFound }
            return StudioResponse(.noContent)
        }
        guard segments.count == 2, let upload = await store.upload(String(id)) else { throw Refusal.notFound }
        guard request.method == .GET || request.method == .HEAD else { throw Refusal.method("GET, HEAD") }
        return try await product(request, String(segments.last ?? ""), upload)
    }

    // MARK: In

    private func receive(_ request: StudioRequest, _ body: inout RequestBody) async throws -> StudioResponse {
        let type = request.headers.first(name: "content-type")?.lowercased() ?? "application/octet-stream"
        guard type.hasPrefix("video/") || type.hasPrefix("image/gif") || type.hasPrefix("application/octet-stream")
        else { throw Refusal.notVideo }
        guard let length = body.length else {
            throw Refusal(.lengthRequired, "no-length", "An upload says how long it is.", closes: true)
        }
        guard length <= limits.live.uploadBytes else { throw Refusal.largeBody }
        let (upload, file) = try await store.begin(name: request.parameter("name") ?? "")
        do {
            let bytes = try await write(&body, to: file)
            guard bytes == length else { throw ChannelError.inputClosed }
            await store.complete(upload)
            let answer = Received(upload: upload.id, name: upload.name, bytes: bytes)
            return .json(try JSONEncoder().encode(answer), status: .created)
        } catch {
            try? file.close()
            await store.remove(upload.id)
            throw error
        }
    }

    private func write(_ body: inout RequestBody, to file: FileHandle) async throws -> Int {
        var count = 0
        var pace = UploadPace(limits, from: .now)
        // The first bytes, until there are enough to tell what it is.
        var start: [UInt8]? = []
        while let chunk = try await body.next() {
            count += chunk.readableBytes
            guard count <= limits.live.uploadBytes else { throw Refusal.largeBody }
            guard pace.take(chunk.readableBytes, at: .now) else { throw Refusal.slowUpload }
            if var bytes = start {
                bytes.append(contentsOf: chunk.readableBytesView.prefix(VideoSignature.length - bytes.count))
                guard bytes.count < VideoSignature.shortest || VideoSignature.begins(bytes) else {
                    throw Refusal.notVideo
                }
                start = bytes
                if bytes.count == VideoSignature.length {
                    guard VideoSignature.isVideo(bytes) else { throw Refusal.notVideo }
                    start = nil
                }
            }
            do {
                try file.write(contentsOf: Data(chunk.readableBytesView))
            } catch {
                throw Refusal.diskFull
            }
        }
        if let start, !VideoSignature.isVideo(start) { throw Refusal.notVideo }
        try file.close()
        return count
    }

    // MARK: Out

    private func product(_ request: StudioRequest, _ name: String, _ upload: StudioUpload) async throws
        -> StudioResponse
    {
        switch name {
        case "overlay.mp4": return try FileAnswer.answer(request, upload.overlay)
        case "poses.jsonl": return try FileAnswer.answer(request, upload.poses)
        default:
            guard name.hasPrefix("poses."), let format = PoseExportFormat(ending: name.dropFirst(6)) else {
                throw Refusal.notFound
            }
            return try await exports.during {
                try await withTaskExecutorPreference(WorkQueue("export")) { try export(upload, format) }
            }
        }
    }

    private func export(_ upload: StudioUpload, _ format: PoseExportFormat) throws -> StudioResponse {
        guard let lines = try? Data(contentsOf: upload.poses, options: .alwaysMapped) else { throw Refusal.notMade }
        let stem = upload.name.split(separator: ".").first.map(String.init) ?? "video"
        return StudioResponse(
            try ExportedFile.poses(PoseLinesReader.frames(lines, file: upload.name), as: format, stem: stem))
    }
}

extension PoseExportFormat {
    /// The format by the ending that Documentation/studio.md gives it.
    fileprivate init?(ending: some StringProtocol) {
        switch ending {
        case "csv": self = .csv
        case "trc": self = .trc
        case "mot": self = .mot
        case "coco.json": self = .coco
        case "openpose.zip": self = .openpose
        default: return nil
        }
    }
}

extension Refusal {
    static let notMade = Refusal(.notFound, "not-found", "It has not been made, or not yet.")

    static let slowUpload = Refusal(
        .requestTimeout, "too-slow", "The upload comes too slowly; try again on a faster network.", closes: true)

    static let notVideo = Refusal(
        .unsupportedMediaType, "no-video", "The body is to be a video, as it is, and nothing around it.", closes: true)
}
