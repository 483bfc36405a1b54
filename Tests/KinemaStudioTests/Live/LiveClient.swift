import Foundation
import KinemaCore
import KinemaMedia
import Testing

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
}

extension FrameMessage {
    /// The head of a JPEG; nil of planes and of what is no JPEG.
    var jpegHeader: JPEGHeader? {
        guard case .jpeg(let bytes) = picture else { return nil }
        return JPEGHeader(bytes)
    }
}
