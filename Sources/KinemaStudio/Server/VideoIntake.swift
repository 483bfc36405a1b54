import Foundation
import NIOCore
import NIOHTTP1

/// Receives a body that must be a video, not too large and not too slow.
struct VideoIntake {
    let limits: StudioLimits
    var kind: SessionVideo.Kind?

    /// The announced length in bytes; throws if it is missing or too large.
    func length(of body: RequestBody) throws -> Int {
        guard let length = body.length else {
            throw HTTPError(.lengthRequired, "no-length", "An upload needs a Content-Length.", closes: true)
        }
        guard length <= limits.live.uploadBytes else { throw HTTPError.largeBody }
        return length
    }

    /// Writes the body to a file; throws if it is not a video or not complete.
    func write(_ body: inout RequestBody, to file: FileHandle) async throws -> Int {
        let length = try length(of: body)
        var count = 0
        var pace = UploadRateCheck(limits, from: .now)
        // The first bytes, until they identify the type.
        var start: [UInt8]? = []
        while let chunk = try await body.next() {
            count += chunk.readableBytes
            guard count <= limits.live.uploadBytes else { throw HTTPError.largeBody }
            guard pace.take(chunk.readableBytes, at: .now) else { throw HTTPError.slowUpload }
            if var bytes = start {
                bytes.append(contentsOf: chunk.readableBytesView.prefix(VideoSignature.length - bytes.count))
                guard bytes.count < VideoSignature.shortest || VideoSignature.begins(bytes) else {
                    throw HTTPError.notVideo
                }
                start = bytes
                if bytes.count == VideoSignature.length {
                    try check(bytes)
                    start = nil
                }
            }
            do {
                try file.write(contentsOf: Data(chunk.readableBytesView))
            } catch {
                throw HTTPError.diskFull
            }
        }
        if let start { try check(start) }
        guard count == length else { throw ChannelError.inputClosed }
        return count
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

/// Checks that an upload keeps a least rate over each window of time.
struct UploadRateCheck {
    private let rate: Int
    private let window: Duration
    private var began: ContinuousClock.Instant
    private var bytes = 0

    init(_ limits: StudioLimits, from begin: ContinuousClock.Instant) {
        (rate, window, began) = (limits.uploadRate, limits.uploadWindow, begin)
    }

    /// Counts received bytes; false if a window had too few.
    mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        bytes += count
        guard now - began >= window else { return true }
        let isEnough = Double(bytes) >= Double(rate) * ((now - began) / .seconds(1))
        (began, bytes) = (now, 0)
        return isEnough
    }
}
