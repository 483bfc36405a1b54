@testable import KinemaHistory
import Foundation
import KinemaCore
import KinemaMedia
@testable import KinemaHTTP
@testable import KinemaStudio
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket

/// What clients send to the studio.
extension Harness {
    /// Frames on the socket: what is read is written back unchanged.
    static let frames = Harness(name: "frames") {
        let planes = PlanarPicture(
            width: 6, height: 4, isBT709: true, isFullRange: false, samples: Data(repeating: 90, count: 36))
        let pictures: [FrameMessage.Picture] = [.jpeg(Data(Picture.jpeg()))] + (planes.map { [.planar($0)] } ?? [])
        return pictures.map {
            Array(FrameMessage(sequence: 7, time: 1.25, width: 6, height: 4, picture: $0).bytes)
        } + [bytes("KFR1")]
    } body: { bytes in
        // A slice of a larger buffer does not start at index zero.
        let slice = (Data([1, 2, 3]) + Data(bytes)).dropFirst(3)
        guard let message = try? FrameMessage(slice) else { return }
        // Two bytes of the planes' header are unused.
        if case .jpeg = message.picture { expect(Array(message.bytes) == bytes, "a frame is written as it was read") }
        guard case .planar(let planes) = message.picture else { return }
        expect(message.bytes.count == bytes.count, "planes are written as they were read")
        let id = TemporalSegmentIdentifier(source: "client", range: 0..<1, timescale: 1)
        _ = try? planes.frame(id, maximumWidth: 640, maximumHeight: 480)
    }

    /// Texts on the socket.
    static let messages = Harness(name: "messages") {
        [
            #"{"type":"stop"}"#, #"{"type":"undo"}"#, ##"{"type":"colour","value":"#0072b2"}"##,
            #"{"type":"start","mode":"count","source":{"kind":"browser","name":"camera"},"exercise":"auto","people":"all"}"#,
            #"{"type":"start","mode":"toss","source":{"kind":"upload","id":"A"},"board":[0.7,0.2,0.2,0.1],"direction":"left","keep":true,"keepPoses":true,"overlay":true,"hands":false}"#,
            #"{"type":"start","mode":"classify","source":{"kind":"stream","url":"rtsp://a/b"},"classifier":"1"}"#,
            #"{"type":"start","mode":"draw","source":{"kind":"camera","device":"/dev/video0"}}"#,
            #"{"type":"start","mode":"coach","source":{"kind":"input","name":"gym"}}"#,
        ].map(bytes)
    } body: { bytes in
        guard let message = try? ClientMessage(String(decoding: bytes, as: UTF8.self)) else { return }
        switch message {
        case .start(let request):
            _ = (request.source.displayName, request.source.kind, request.source.isUpload)
        case .drawing(.colour(let colour)):
            expect(colour.hex.utf8.count == 7 && DrawingColour(colour.hex) == colour, "a colour is #rrggbb")
        default: break
        }
    }

    /// WebSocket frames, at once and byte by byte.
    static let sockets = Harness(name: "sockets") {
        [
            [0x81, 0x85, 1, 2, 3, 4, 0x69, 0x67, 0x6F, 0x68, 0x6E], [0x89, 0x80, 0, 0, 0, 0],
            [0x82, 0xFE, 0x00, 0x80, 1, 2, 3, 4] + [UInt8](repeating: 5, count: 128),
            [0x02, 0x81, 0, 0, 0, 0, 9, 0x80, 0x81, 0, 0, 0, 0, 9], [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8],
            [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
        ]
    } body: { bytes in
        var (whole, single) = (FrameLengthParser(), FrameLengthParser())
        let holds = whole.take(bytes)
        let inParts = bytes.allSatisfy { single.take([$0]) }
        expect(holds == inParts, "frames are accepted alike at once and byte by byte")
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 16))
        guard (try? channel.pipeline.syncOperations.addHandlers([FrameLengthCheck(), decoder])) != nil else { return }
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        var assembler = MessageAssembler(limits: StudioLimits())
        while let frame = try? channel.readInbound(as: WebSocketFrame.self) { _ = assembler.take(frame) }
    }

    /// Heads of HTTP requests, and how the studio reads path, query, cookies, host, origin and range.
    static let requests = Harness(name: "requests", maximumLength: 8192) {
        [
            "GET /?token=abcdefghijklmnop HTTP/1.1\r\nHost: 127.0.0.1:8787\r\nRange: bytes=0-99\r\n\r\n",
            "GET /api/history?mode=count&from=2026-11-21&limit=5 HTTP/1.1\r\nHost: localhost:8787\r\nCookie: a=b; kinema-token-8787=abcdefghijklmnop\r\nOrigin: http://localhost:8787\r\n\r\n",
            "POST /api/uploads?name=a%20b.mp4 HTTP/1.1\r\nHost: [::1]:8787\r\nContent-Length: 4\r\nContent-Type: video/mp4\r\nAuthorization: Bearer abcdefghijklmnop\r\n\r\nabcd",
            "GET /live HTTP/1.1\r\nHost: proxy.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nRange: bytes=-5\r\n\r\n2\r\nab\r\n0\r\n\r\n",
        ].map(bytes)
    } body: { bytes in
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize, limits.maxHeaderFieldCount) = (4096, 4096, 64)
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
        guard (try? channel.pipeline.syncOperations.addHandler(decoder)) != nil else { return }
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { use(StudioRequest(head)) }
        }
    }

    private static let access: AccessGuard = {
        var configuration = StudioConfiguration()
        configuration.token = try? AccessToken("abcdefghijklmnop")
        configuration.allowedHosts = ["proxy.example"]
        return AccessGuard(configuration, port: 8787)
    }()

    private static func use(_ request: StudioRequest) {
        _ = (request.segments, request.hasReadableQuery, request.isAPI, request.bodyLength)
        for name in ["token", "name", "mode", "from", "limit", "format"] {
            guard let value = request.parameter(name) else { continue }
            let shown = StudioUpload.displayName(value)
            expect(!shown.contains("/") && shown.utf8.count <= 255, "an upload's name is not a path")
            _ = SessionFormat(argument: value)
        }
        _ = try? access.check(request, local: ("127.0.0.1", 8787))
        _ = (access.bringsToken(request), access.signIn(request))
        for field in request.headers["range"] {
            for size in [0, 1, 1000, Int.max] {
                guard let range = FileResponse.range(field, of: size) else { continue }
                expect(range.lowerBound >= 0 && range.upperBound <= size, "a range lies in the file")
            }
        }
    }

    /// Addresses of streams and clients, and requests to the stream proxy.
    static let addresses = Harness(name: "addresses", maximumLength: 2100) {
        [
            "rtsp://user:secret@camera.example:8554/live/main?a=b", "https://[2001:db8::1]:443/a.m3u8#x",
            "http://a", "camera:/dev/video1", "-", "clip.mp4", "localhost:80", "[::1]:8787",
            "GET http://a.example/b?c HTTP/1.1\r\nProxy-Connection: close\r\nHost: a",
            "CONNECT a.example:443 HTTP/1.1\r\nHost: a", "::ffff:1.2.3.4", "2001:db8:1:2:3::4",
        ].map(bytes)
    } body: { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        _ = (Authority(text)?.without(defaultPort: 80), ClientAddress(text).key)
        _ = (try? MediaInput(argument: text))?.source
        AddressProbe.use(text)
        _ = (NetworkAddress(bytes).isPublic, NetworkAddress(bytes).text)
    }

    /// The first bytes of uploads.
    static let signatures = Harness(name: "signatures", maximumLength: 1024) {
        var transport = [UInt8](repeating: 0, count: 376)
        (transport[0], transport[188]) = (0x47, 0x47)
        return [
            [0, 0, 0, 24] + bytes("ftypisom") + [0, 0, 2, 0] + bytes("isomiso2"), [0x1A, 0x45, 0xDF, 0xA3, 0x80],
            bytes("RIFF\u{10}\0\0\0AVI LIST"), bytes("GIF89a"), bytes("OggS"), bytes("FLV\u{1}\u{5}\0\0\0\u{9}"),
            bytes("YUV4MPEG2 W6 H4 F30:1\n"), [0, 0, 1, 0xBA], [0, 0, 0, 1, 0x67], Picture.jpeg(), transport,
        ]
    } body: { bytes in
        if VideoSignature.isVideo(bytes) { expect(VideoSignature.begins(bytes), "a video begins like one") }
    }
}
