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

/// Decides by its first bytes whether a file is a video that contains its own pictures.
///
/// The decoder also reads lists of other files and addresses (HLS, DASH, concat, SDP), which an upload must not open.
/// So the signature and the decoder must agree.
enum VideoSignature {
    /// The first bytes that identify a video without the decoder: two packets of an MPEG transport stream.
    static let shortest = 189
    /// The first bytes for the decoder, which needs far fewer.
    static let length = 1 << 16

    private struct Kind {
        var offset = 0
        var bytes: [UInt8]
        var containers: Set<String>
    }

    private static let known: [Kind] =
        ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].map {
            Kind(offset: 4, bytes: Array($0.utf8), containers: ["mov", "mp4"])
        } + [
            Kind(bytes: [0x1A, 0x45, 0xDF, 0xA3], containers: ["matroska", "webm"]),
            Kind(offset: 8, bytes: Array("AVI ".utf8), containers: ["avi"]),
            Kind(bytes: Array("OggS".utf8), containers: ["ogg"]),
            Kind(bytes: Array("FLV".utf8), containers: ["flv", "live_flv"]),
            Kind(bytes: Array("GIF87a".utf8), containers: ["gif"]),
            Kind(bytes: Array("GIF89a".utf8), containers: ["gif"]),
            Kind(bytes: Array("YUV4MPEG2".utf8), containers: ["yuv4mpegpipe"]),
            Kind(bytes: [0x30, 0x26, 0xB2, 0x75], containers: ["asf"]),
            // MPEG program and video streams, H.264 and H.265 without a container.
            Kind(bytes: [0x00, 0x00, 0x01, 0xBA], containers: ["mpeg"]),
            Kind(bytes: [0x00, 0x00, 0x01, 0xB3], containers: ["mpegvideo"]),
            Kind(bytes: [0x00, 0x00, 0x00, 0x01], containers: ["h264", "hevc", "mpegvideo"]),
            Kind(bytes: [0x00, 0x00, 0x01, 0x67], containers: ["h264"]),
            // Motion JPEG; with few pictures the decoder identifies a single one.
            Kind(bytes: [0xFF, 0xD8, 0xFF], containers: ["mjpeg", "jpeg_pipe"]),
        ]

    private static let transport = Kind(bytes: [0x47], containers: ["mpegts"])

    static func begins(_ bytes: [UInt8]) -> Bool { kind(of: bytes) != nil }

    /// Whether the file, by its first ``length`` bytes, is a video for the decoder too.
    static func isVideo(_ bytes: [UInt8]) -> Bool {
        guard let kind = kind(of: bytes), let container = ContainerProbe.container(of: bytes) else { return false }
        return !kind.containers.isDisjoint(with: container.split(separator: ",").map(String.init))
    }

    /// The kind of a video that browsers play; nil for any other.
    static func browserKind(of bytes: [UInt8]) -> SessionVideo.Kind? {
        guard isVideo(bytes), let kind = kind(of: bytes) else { return nil }
        return kind.containers.contains("webm") ? .webm : kind.containers.contains("mp4") ? .mp4 : nil
    }

    private static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.count >= shortest, bytes[0] == 0x47, bytes[shortest - 1] == 0x47 { return transport }
        return known.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    }
}
