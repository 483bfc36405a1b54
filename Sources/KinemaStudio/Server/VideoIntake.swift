import KinemaHistory
import KinemaHTTP
import Foundation
import KinemaMedia
import NIOCore
import NIOHTTP1

/// Receives a body that must be a video, not too large and not too slow.
struct VideoIntake {
    let limits: StudioLimits
    var kind: SessionVideo.Kind?

    /// The announced length in bytes; throws if it is missing or too large.
    func length(of body: RequestBody) throws -> Int {
        try body.announced("The video", atMost: limits.live.uploadBytes)
    }

    /// Writes the body to a file; throws if it is not a video or not complete.
    func write(_ body: inout RequestBody, to file: FileHandle) async throws -> Int {
        let length = try length(of: body)
        // The first bytes, until they identify the type.
        var start: [UInt8]? = []
        try await body.write(to: file, length) { chunk in
            guard var bytes = start else { return }
            bytes.append(contentsOf: chunk.readableBytesView.prefix(VideoSignature.length - bytes.count))
            guard bytes.count < VideoSignature.shortest || VideoSignature.begins(bytes) else {
                throw HTTPError.notVideo
            }
            start = bytes.count == VideoSignature.length ? nil : bytes
            if start == nil { try check(bytes) }
        }
        if let start { try check(start) }
        return length
    }

    private func check(_ start: [UInt8]) throws {
        guard let kind else {
            guard VideoSignature.isVideo(start) else { throw HTTPError.notVideo }
            return
        }
        guard VideoSignature.browserKind(of: start) == kind else { throw HTTPError.notOfItsType }
    }
}

extension HTTPError {
    static let notOfItsType = HTTPError(
        .unsupportedMediaType, "no-video", "The body must be a video of the type it names, video/webm or video/mp4.",
        closes: true)
}
