import CFFmpeg
import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

/// What a decoder process says is believed only where it can be true.
struct DecoderMessageTests {
    /// A picture of 64x48 in planar 4:2:0, in the middle of a megabyte.
    private func picture(_ change: (inout PictureMessage) -> Void = { _ in }) -> PictureMessage {
        var message = PictureMessage()
        (message.number, message.start, message.end, message.timescale) = (7, 40, 80, 1000)
        (message.width, message.height, message.format) = (64, 48, Int(AV_PIX_FMT_YUV420P.rawValue))
        (message.offsets, message.strides) = ([4_096, 8_192, 12_288], [64, 32, 32])
        change(&message)
        return message
    }

    private func isInside(_ message: PictureMessage, memory: Int = 1 << 20) throws -> Bool {
        let layout = try #require(PixelLayout(AV_PIX_FMT_YUV420P))
        return message.isInside(memory, layout, limits: .untrusted)
    }

    /// The bytes that a message has on its way. There are two functions of this name, one for an optional, as where an older
    /// compiler once chose JSON for bytes.
    private func sent(_ message: [UInt8]?) throws -> [UInt8] {
        let message = try #require(message)
        let (own, other) = try #require(DecoderChannelHandle.pair())
        defer { close(other) }
        #expect(own.send(message))
        var bytes = [UInt8](repeating: 0, count: message.count + 1)
        let count = recv(other, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return Array(bytes[..<max(count, 0)])
    }

    private func sent(_ failure: any Error) throws -> [UInt8] {
        try sent(DecoderMessageKind.failed.message(json: try #require(failure as? KinemaError)))
    }

    /// What a message of a kind should be: the payload's length in four bytes, the kind, the payload.
    private func expected(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [UInt8(payload.count & 255), UInt8(payload.count >> 8), 0, 0, number] + payload
    }

    @Test func `each kind of message has its bytes`() throws {
        let bytes = picture().payload
        #expect(bytes.count == 120 && bytes.starts(with: [7, 0, 0, 0, 0, 0, 0, 0, 40, 0]))
        #expect(
            try sent(DecoderMessageKind.take.message(WireNumbers.bytes([3, 258]))) == [
                16, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0,
            ])
        #expect(try sent(DecoderMessageKind.jpeg.message([0xFF, 0xD8, 0xFF])) == [3, 0, 0, 0, 3, 0xFF, 0xD8, 0xFF])
        #expect(try sent(DecoderMessageKind.picture.message(bytes)) == expected(17, bytes))
        #expect(try sent(DecoderMessageKind.ended.message()) == [0, 0, 0, 0, 22])
        #expect(try sent(DecoderMessageKind.heartbeat.message()) == [0, 0, 0, 0, 23])
        let stream = StreamRequest(address: "rtsp://a")
        let description = StreamDescription(
            width: 4, height: 2, frameRate: 25, timescale: 90, duration: 1, isLive: false)
        let json: [(UInt8, [UInt8]?, String)] = [
            (1, DecoderMessageKind.open.message(json: DecoderRequest(source: "a.mp4", limits: .untrusted)), "a.mp4"),
            (4, DecoderMessageKind.connected.message(json: ConnectAnswer(address: "10.0.0.1")), "10.0.0.1"),
            (16, DecoderMessageKind.opened.message(json: description), "90"),
            (18, DecoderMessageKind.diagnostic.message(json: Diagnostic("cut", "is cut")), "is cut"),
            (19, DecoderMessageKind.state.message(json: ConnectionState.live), "live"),
            (20, DecoderMessageKind.connect.message(json: stream), "rtsp:"),
            (21, DecoderMessageKind.failed.message(json: KinemaError(.unsupported, "no")), "no"),
        ]
        #expect(try sent(KinemaError(.unsupported, "no")) == (try sent(json.last?.1)))
        for (number, message, part) in json {
            let bytes = try sent(message)
            let payload = Array(bytes.dropFirst(DecoderMessageKind.headLength))
            #expect(bytes == expected(number, payload))
            let text = String(decoding: payload, as: UTF8.self)
            #expect(text.hasPrefix("{") && text.hasSuffix("}") && text.contains(part), "\(text)")
        }
        // None is missing above.
        let kinds = (UInt8.min...UInt8.max).compactMap { DecoderMessageKind(rawValue: $0)?.rawValue }
        #expect(kinds == (json.map(\.0) + [2, 3, 17, 22, 23]).sorted())
    }

    @Test func `a message survives the way`() {
        let message = picture { $0.strides[1] = -32 }
        #expect(PictureMessage(message.payload[...]) == message)
        #expect(PictureMessage(message.payload.dropLast()) == nil)
        #expect(PictureMessage([]) == nil)
        #expect(WireNumbers.read(WireNumbers.bytes([.min, -1, 0, .max])[...]) == [.min, -1, 0, .max])
    }

    @Test func `planes lie inside the memory, to the last byte that is read`() throws {
        #expect(try isInside(picture()))
        // The last row of the last plane ends at 12,288 + 23 * 32 + 32, and 64 bytes more may be read.
        #expect(try isInside(picture(), memory: 13_120))
        #expect(try !isInside(picture(), memory: 13_119))
        // From the last row to the first.
        #expect(try isInside(picture { ($0.offsets[0], $0.strides[0]) = (4_096, -64) }))
        #expect(try !isInside(picture { ($0.offsets[0], $0.strides[0]) = (3_000, -64) }))
    }

    @Test(
        arguments: [
            { $0.width = 0 }, { $0.height = -1 }, { $0.width = .max }, { $0.height = 1 << 40 }, { $0.offsets[0] = -1 },
            { $0.offsets[2] = .max }, { $0.strides[0] = 63 }, { $0.strides[0] = 0 }, { $0.strides[1] = .min },
            { $0.strides[2] = .max }, { $0.start = -1 }, { $0.end = 40 }, { $0.end = .max }, { $0.timescale = 0 },
            { $0.timescale = .max }, { $0.orientation = 8 }, { $0.orientation = -1 },
        ] as [@Sendable (inout PictureMessage) -> Void])
    func `impossible numbers are refused`(change: @Sendable (inout PictureMessage) -> Void) throws {
        #expect(try !isInside(picture(change)))
    }

    @Test func `blocks of shared memory do not overlap and are used again`() throws {
        let memory = SharedPictureMemory(try SharedMemoryHandle(size: 1 << 16))
        let blocks = (0..<16).compactMap { _ in memory.take(4_000) }
        // The last unit stays free.
        #expect(blocks.count == 15 && Set(blocks).count == 15)
        #expect(memory.take(1) == nil)
        memory.giveBack(blocks[3])
        memory.giveBack(blocks[4])
        #expect(memory.take(8_192) == blocks[3])
        #expect(memory.take(1) == nil)
    }
}
