import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Synchronization
import Testing
@testable import KinemaHTTP
@testable import KinemaStudio

/// A client of a live service in memory, which waits for answers.
final class LiveClient {
    let socket = MemorySocket()
    let serving: Task<Void, Never>
    /// Everything the service said, in order.
    private(set) var heard: [[String: Any]] = []
    private(set) var pictures: [FrameMessage] = []
    private var answers: AsyncStream<SocketMessage>.AsyncIterator
    private var sequence: UInt32 = 0

    init(_ service: LiveService) {
        answers = socket.received.makeAsyncIterator()
        serving = Task { [socket] in await service.serve(socket) }
    }

    func start(_ mode: String, _ more: String = "") {
        socket.say(#"{"type":"start","mode":"\#(mode)","source":{"kind":"browser","name":"test"}\#(more)}"#)
    }

    /// Sends a picture; returns its number.
    @discardableResult
    func show(_ jpeg: Data, at time: Double) -> Int { show(.jpeg(jpeg), at: time) }

    /// Sends a picture however it is written; returns its number.
    @discardableResult
    func show(_ picture: FrameMessage.Picture, width: Int = 0, height: Int = 0, at time: Double) -> Int {
        sequence += 1
        socket.send(
            bytes: FrameMessage(sequence: sequence, time: time, width: width, height: height, picture: picture).bytes)
        return Int(sequence)
    }

    /// Reads until a message of a type comes; nil when the socket was closed first.
    func next(_ types: String...) async -> [String: Any]? {
        while let message = await answers.next() {
            switch message {
            case .binary(let bytes): if let frame = try? FrameMessage(bytes) { pictures.append(frame) }
            case .text(let text):
                guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
                    Issue.record("not JSON: \(text)")
                    continue
                }
                heard.append(object)
                if let type = object["type"] as? String, types.contains(type) { return object }
            }
        }
        return nil
    }

    /// Reads until so many messages of a type were heard; false when the socket was closed first.
    func hear(_ count: Int, _ type: String) async -> Bool {
        while all(type).count < count { if await next(type) == nil { return false } }
        return true
    }

    /// Sends a picture and waits for what comes of it.
    func showAndWait(_ jpeg: Data, at time: Double) async -> [String: Any]? {
        let number = show(jpeg, at: time)
        while let answer = await next("result", "dropped", "error") {
            if answer["sequence"] as? Int == number || answer["sequence"] == nil { return answer }
        }
        return nil
    }

    /// Stops and waits for the end.
    func stop() async -> [String: Any]? {
        socket.say(#"{"type":"stop"}"#)
        return await next("ended")
    }

    /// Goes, and waits until the service has let go of everything.
    func leave() async {
        socket.leave()
        await serving.value
    }

    /// Everything of a type that was heard.
    func all(_ type: String) -> [[String: Any]] { heard.filter { $0["type"] as? String == type } }

    /// The events of a type, as the analysis wrote them.
    func events(_ type: String) -> [[String: Any]] { all(type).compactMap { $0[type] as? [String: Any] } }
}

extension FrameMessage {
    /// The head of a JPEG; nil of planes and of what is no JPEG.
    var jpegHeader: JPEGHeader? {
        guard case .jpeg(let bytes) = picture else { return nil }
        return JPEGHeader(bytes)
    }
}

/// A client and its socket in memory: what the client says is read by the service, what the service sends by the test.
final class MemorySocket: LiveSocket {
    let messages: AsyncThrowingStream<SocketMessage, any Error>
    let received: AsyncStream<SocketMessage>
    private let saying: AsyncThrowingStream<SocketMessage, any Error>.Continuation
    private let receiving: AsyncStream<SocketMessage>.Continuation
    private let state = Mutex((isBehind: false, isGone: false, closed: UInt16?.none))

    init() {
        (messages, saying) = AsyncThrowingStream.makeStream()
        (received, receiving) = AsyncStream.makeStream()
    }

    var isBehind: Bool {
        get { state.withLock { $0.isBehind } }
        set { state.withLock { $0.isBehind = newValue } }
    }

    /// The status it was closed with.
    var closed: UInt16? { state.withLock { $0.closed } }

    func send(_ message: SocketMessage) async throws {
        if state.withLock({ $0.isGone }) { throw CancellationError() }
        receiving.yield(message)
    }

    func close(code: UInt16, reason: String) async {
        state.withLock { $0.closed = $0.closed ?? code }
        receiving.finish()
    }

    /// Says something in JSON.
    func say(_ text: String) { saying.yield(.text(text)) }

    /// Sends bytes.
    func send(bytes: Data) { saying.yield(.binary(bytes)) }

    /// Goes away without a word.
    func hangUp() {
        state.withLock { $0.isGone = true }
        saying.finish()
    }

    /// Says goodbye, but reads on.
    func leave() { saying.finish() }
}

/// A rendered scene as the JPEG pictures that a browser's camera would send.
struct RenderedClip {
    let pictures: [Data]
    /// Seconds from one picture to the next.
    let step: Double

    init(_ scene: SynthScene, every: Int = 1) throws {
        let encoder = try JPEGEncoder()
        pictures = try stride(from: 0, to: scene.frameCount, by: every).map {
            try encoder.jpeg(scene.videoFrame($0)).bytes
        }
        step = Double(every) / scene.frameRate.perSecond
    }

    /// Shows every picture, each after the one before was answered, and no faster than a client may; the times are those
    /// of a clock that runs already.
    func show(to client: LiveClient, from time: Double = 1000) async {
        let pause = Duration.seconds(1) / (LiveLimits().framesPerSecond - 5)
        var next = ContinuousClock.now
        for (index, picture) in pictures.enumerated() {
            // Late is late: what a slow machine owes is not sent in one go.
            try? await Task.sleep(until: next, clock: .continuous)
            next = max(next, .now) + pause
            _ = await client.showAndWait(picture, at: time + Double(index) * step)
        }
    }
}

extension StudioUpload {
    /// An upload of a video, in a folder of its own.
    init(of video: URL, name: String, in folder: TemporaryFolder) throws {
        self.init(id: "abc", name: name, folder: folder.file("upload"))
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: video, to: self.video)
    }
}
