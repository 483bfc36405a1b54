import CFFmpeg
import Foundation
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
        // The last page stays free.
        #expect(blocks.count == 15 && Set(blocks).count == 15)
        #expect(memory.take(1) == nil)
        memory.giveBack(blocks[3])
        memory.giveBack(blocks[4])
        #expect(memory.take(8_192) == blocks[3])
        #expect(memory.take(1) == nil)
    }
}
