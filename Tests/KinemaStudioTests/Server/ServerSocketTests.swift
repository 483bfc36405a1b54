import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct ServerSocketTests {
    private static let soon = Duration.milliseconds(300)

    private func run(
        live: any LiveServing = EchoLive(), _ limits: @escaping (inout StudioLimits) -> Void = { _ in },
        _ test: @Sendable (StudioUnderTest) async throws -> Void
    ) async throws {
        try await StudioUnderTest.run(live: live, configure: { limits(&$0.limits) }, test)
    }

    /// What a client gets before its connection ends: an error by this code, a close with this status.
    private func expectEnd(_ socket: RawSocket, _ status: UInt16, _ code: String) async throws {
        let frames = try await socket.frames()
        #expect(frames.count == 2)
        #expect(frames.first?.opcode == 1)
        #expect(frames.first?.text.contains("\"code\":\"\(code)\",\"fatal\":true") == true)
        #expect(frames.last?.status == status)
    }

    // MARK: Messages

    @Test func `messages pass whole and in fragments with pings between`() async throws {
        try await run { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send("héllo")
            #expect(try await socket.frames(1) == [.init(opcode: 1, data: Array("héllo".utf8))])
            try await socket.send(0x02, [1, 2])
            // A ping within a message is answered at once.
            try await socket.send(0x89, [7])
            #expect(try await socket.frames(1) == [.init(opcode: 10, data: [7])])
            try await socket.send(0x00, [])
            try await socket.send(0x80, [3])
            try await socket.send(0x82, [])
            #expect(try await socket.frames(2).map(\.data) == [[1, 2, 3], []])
        }
    }

    @Test func `a socket opens on a connection that has answered requests, as proxies reuse them`() async throws {
        try await run { studio in
            let client = try await studio.client()
            for _ in 0..<2 {
                try await client.send(studio.request("GET", "/"))
                #expect(try await client.answer()?.status == 200)
            }
            let socket = try await RawSocket.open(studio, on: client)
            #expect(socket.handshake.status == 101)
            try await socket.send("hello")
            #expect(try await socket.frames(1).first?.text == "hello")
        }
    }

    @Test(arguments: [1000, 1001, 4999] as [UInt16]) func `a close is answered by its status`(status: UInt16)
        async throws
    {
        try await run { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(0x88, [UInt8(status >> 8), UInt8(status & 255)])
            #expect(try await socket.frames().map(\.status) == [status])
        }
    }

    // MARK: What RFC 6455 forbids

    @Test func `a frame without a mask ends the socket`() async throws {
        try await run { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(0x81, [65], masked: false)
            try await expectEnd(socket, 1002, "bad-message")
        }
    }

    @Test(
        arguments: [
            [(0x83, 0)], [(0x87, 0)], [(0x8B, 0)], [(0x8F, 0)],  // opcodes that mean nothing
            [(0xC1, 0)], [(0xA1, 0)], [(0x91, 0)],  // bits of extensions that were not agreed on
            [(0x09, 0)], [(0x08, 2)], [(0x89, 126)],  // control frames in fragments, or too long
            [(0x80, 1)], [(0x01, 1), (0x81, 1)],  // a fragment of nothing, a message within a message
            [(0x88, 1)],  // half a status
        ] as [[(UInt8, Int)]]) func `invalid frames close the socket`(frames: [(first: UInt8, count: Int)])
        async throws
    {
        try await run { studio in
            let socket = try await RawSocket.open(studio)
            for frame in frames { try await socket.send(frame.first, [UInt8](repeating: 3, count: frame.count)) }
            try await expectEnd(socket, 1002, "bad-message")
        }
    }

    @Test(arguments: [999, 1004, 1005, 1006, 1015, 2999, 5000] as [UInt16])
    func `a close with a status that must not be sent is an error`(status: UInt16) async throws {
        try await run { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(0x88, [UInt8(status >> 8), UInt8(status & 255)])
            try await expectEnd(socket, 1002, "bad-message")
        }
    }

    @Test func `a reason that is no UTF-8 ends the socket`() async throws {
        try await run { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(0x88, [3, 232, 0xFF, 0xFE])
            try await expectEnd(socket, 1007, "bad-message")
            let other = try await RawSocket.open(studio)
            try await other.send(0x88, [3, 232] + Array("grüße".utf8))
            #expect(try await other.frames().last?.status == 1000)
        }
    }

    @Test(arguments: [[126, 0, 5], [127, 0, 0, 0, 0, 0, 0, 0, 5], [127, 0, 0, 0, 0, 0, 0, 1, 0]] as [[UInt8]])
    func `a length in a longer form than needed closes the socket`(length: [UInt8]) async throws {
        try await run { studio in
            let socket = try await RawSocket.open(studio)
            let count = length.dropFirst().reduce(0) { $0 << 8 | Int($1) }
            let head = [0x82, 0x80 | length[0]] + length.dropFirst() + [0, 0, 0, 0]
            try await socket.client.send(head + [UInt8](repeating: 1, count: count))
            try await expectEnd(socket, 1002, "bad-message")
        }
    }

    @Test(arguments: ["AAAA", "dGhlIHNhbXBsZSBub25jZQ", "not base64, not at all!!", "dGhlIHNhbXBsZSBub25jZSE="])
    func `a key that is not sixteen bytes is no handshake`(key: String) async throws {
        try await run { studio in
            let answer = try await RawSocket.open(studio, ["Sec-WebSocket-Key": key]).handshake
            #expect(answer.status == 400)
            #expect(answer.code == "bad-request")
        }
    }

    @Test(
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func `a text that is not UTF-8 closes the socket`(bytes: [UInt8]) async throws {
        try await run { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(0x81, bytes)
            try await expectEnd(socket, 1007, "bad-message")
        }
    }

    // MARK: Size

    @Test func `a message that is too large ends the socket`() async throws {
        let small: @Sendable (inout StudioLimits) -> Void = { ($0.textBytes, $0.live.frameBytes) = (100, 5_000) }
        try await run(small) { studio in
            for (opcode, limit) in [(0x81, 100), (0x82, 5_000)] as [(UInt8, Int)] {
                let socket = try await RawSocket.open(studio)
                try await socket.send(opcode, [UInt8](repeating: 65, count: limit))
                #expect(try await socket.frames(1).first?.data.count == limit)
                try await socket.send(opcode, [UInt8](repeating: 65, count: limit + 1))
                try await expectEnd(socket, 1009, "too-large")
            }
        }
    }

    @Test(arguments: [5_001, 1 << 31, 1 << 62, UInt64.max])
    func `a frame that claims to be huge ends the socket at once`(
        length: UInt64
    ) async throws {
        try await run({ ($0.live.frameBytes, $0.textBytes) = (5_000, 100) }) { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(0x82, [1, 2, 3], length: length)
            try await expectEnd(socket, 1009, "too-large")
        }
    }

    @Test func `fragments that add up to too much end the socket`() async throws {
        try await run({ $0.live.frameBytes = 5_000 }) { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(0x02, [UInt8](repeating: 1, count: 3_000))
            try await socket.send(0x00, [UInt8](repeating: 1, count: 3_000))
            try await expectEnd(socket, 1009, "too-large")
        }
    }

    @Test func `endless fragments close the socket`() async throws {
        try await run({ $0.fragments = 8 }) { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(0x02, [])
            for _ in 0..<8 { try await socket.send(0x00, []) }
            try await expectEnd(socket, 1009, "too-large")
        }
    }

    // MARK: Number and rate

    @Test(arguments: [0x81, 0x82, 0x89, 0x8A] as [UInt8])
    func `more messages a second than are taken end the socket`(first: UInt8) async throws {
        try await run({ ($0.messagesPerSecond, $0.messageBurst) = (0, 10) }) { studio in
            let socket = try await RawSocket.open(studio)
            for _ in 0..<20 { try? await socket.send(first, []) }
            let frames = try await socket.frames()
            #expect(frames.suffix(2).first?.text.contains("\"code\":\"too-fast\"") == true)
            #expect(frames.last?.status == 1008)
            #expect(frames.count <= 12)
        }
    }

    @Test func `a message in many fragments is one message`() async throws {
        // No ping comes between, however busy the machine is.
        let limits: (inout StudioLimits) -> Void = {
            ($0.messagesPerSecond, $0.messageBurst, $0.pingInterval) = (1, 4, .seconds(3_600))
        }
        try await run(limits) { studio in
            let socket = try await RawSocket.open(studio)
            for message in 0..<3 {
                let opcodes: [UInt8] = [0x02] + [UInt8](repeating: 0x00, count: 18) + [0x80]
                for opcode in opcodes { try await socket.send(opcode, [UInt8(message)]) }
                #expect(try await socket.frames(1).map(\.data) == [opcodes.map { _ in UInt8(message) }])
            }
        }
    }

    @Test func `more sockets than are taken are told so and leave room again`() async throws {
        try await run({ $0.sockets = 2 }) { studio in
            let first = try await RawSocket.open(studio)
            let second = try await RawSocket.open(studio)
            for socket in [first, second] {
                try await socket.send("here")
                #expect(try await socket.frames(1).first?.text == "here")
            }
            let third = try await RawSocket.open(studio)
            #expect(third.handshake.status == 101)
            try await expectEnd(third, 1013, "busy")
            try await first.send(0x88, [])
            #expect(try await first.frames().count == 1)
            while true {
                let next = try await RawSocket.open(studio)
                try? await next.send("here")
                if try await next.frames(1).first?.text == "here" { break }
            }
        }
    }

    @Test func `a socket without a message makes room for another`() async throws {
        try await run({ $0.sockets = 2 }) { studio in
            let speaking = try await RawSocket.open(studio)
            try await speaking.send("here")
            #expect(try await speaking.frames(1).first?.text == "here")
            var silent = try await RawSocket.open(studio)
            try await silent.send(0x8A, [])
            for _ in 0..<3 {
                let next = try await RawSocket.open(studio)
                try await expectEnd(silent, 1013, "busy")
                silent = next
            }
            try await silent.send("here")
            #expect(try await silent.frames(1).first?.text == "here")
            try await speaking.send("still here")
            #expect(try await speaking.frames(1).first?.text == "still here")
        }
    }

    // MARK: Time

    @Test func `a client that disappeared silently is disconnected`() async throws {
        try await run({ ($0.pingInterval, $0.idleTimeout) = (.milliseconds(50), Self.soon) }) { studio in
            let socket = try await RawSocket.open(studio)
            let frames = try await socket.frames()
            #expect(frames.first?.opcode == 9)
            #expect(frames.suffix(2).first?.text.contains("\"code\":\"idle\"") == true)
            #expect(frames.last?.status == 1008)
        }
    }

    @Test func `nothing follows a close`() async throws {
        // Ping and silence fall due at the same moments.
        try await run({
            ($0.pingInterval, $0.idleTimeout, $0.closeTimeout) = (
                .milliseconds(20), .milliseconds(100), .milliseconds(100)
            )
        }) { studio in
            for _ in 0..<10 {
                let socket = try await RawSocket.open(studio)
                socket.answersCloses = false
                let frames = try await socket.frames()
                #expect(frames.firstIndex { $0.opcode == 8 } == frames.count - 1)
            }
        }
    }

    @Test func `a client that answers pings stays`() async throws {
        try await run({ ($0.pingInterval, $0.idleTimeout) = (.milliseconds(5), .seconds(3)) }) { studio in
            let socket = try await RawSocket.open(studio)
            // So many pings and answers outlast the silence that is borne.
            for _ in 0..<650 {
                #expect(try await socket.frames(1).first?.opcode == 9)
                try await socket.send(0x8A, [])
            }
        }
    }

    @Test func `a frame that arrives too slowly counts as silence`() async throws {
        try await run({ $0.idleTimeout = Self.soon }) { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.client.send(RawSocket.bytes(0x82, [], length: 1_000))
            let drip = Task { [client = socket.client] in
                while !Task.isCancelled {
                    try await client.send([1])
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            try await expectEnd(socket, 1008, "idle")
            drip.cancel()
        }
    }
}
