import NIOCore

/// Refuses lengths that are not in their shortest form (RFC 6455, 5.2), which the frame decoder accepts.
final class FrameLengthCheck: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    struct Violation: Error {}

    private var meter = FrameLengthParser()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !meter.isBroken else { return }
        if meter.take(unwrapInboundIn(data).readableBytesView) {
            context.fireChannelRead(data)
        } else {
            context.fireErrorCaught(Violation())
        }
    }
}

/// Reads the heads of the frames in a stream of bytes.
struct FrameLengthParser {
    private(set) var isBroken = false
    private var head: [UInt8] = []
    private var left = 0

    /// Takes the next bytes; false from the first length that is not in its shortest form.
    mutating func take(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        var rest = bytes[...]
        while !isBroken, !rest.isEmpty {
            let skipped = Swift.min(left, rest.count)
            rest = rest.dropFirst(skipped)
            left -= skipped
            if left == 0, let byte = rest.popFirst() { takeHead(byte) }
        }
        return !isBroken
    }

    private mutating func takeHead(_ byte: UInt8) {
        head.append(byte)
        guard head.count >= 2 else { return }
        let form = head[1] & 0x7F
        let width = form == 126 ? 2 : form == 127 ? 8 : 0
        guard head.count == 2 + width else { return }
        let length = head[2...].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        isBroken = width == 2 && length < 126 || width == 8 && length < 65_536
        let mask = head[1] & 0x80 == 0 ? 0 : 4
        // The decoder refuses lengths that are too large.
        left = mask + (width == 0 ? Int(form) : Int(clamping: Swift.min(length, UInt64(Int.max - mask))))
        head = []
    }
}
