import Foundation
import NIOCore
import NIOPosix

@testable import KinemaStudio

/// A client that sends bytes as they are and reads only when asked to, so that anything can be tried on a server.
struct RawClient: Sendable {
    private let channel: any Channel
    private let stage: NIOLoopBound<Stage>

    private final class Stage: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        let received = PullQueue<ByteBuffer>()
        private var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { received.put(unwrapInboundIn(data)) }
        func channelReadComplete(context: ChannelHandlerContext) { if received.isAwaited { context.read() } }
        func channelInactive(context: ChannelHandlerContext) { received.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func next(on loop: any EventLoop) -> EventLoopFuture<ByteBuffer?> {
            let next = received.take(on: loop)
            if received.isAwaited { context?.read() }
            return next
        }
    }

    /// Connects.
    init(_ port: Int) async throws {
        (channel, stage) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 8_192)
            .channelOption(.socketOption(.so_sndbuf), value: 65_536)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let stage = Stage()
                    try channel.pipeline.syncOperations.addHandler(stage)
                    return (channel, NIOLoopBound(stage, eventLoop: channel.eventLoop))
                }
            }
    }

    /// Sends bytes; throws when the server has closed.
    func send(_ bytes: some Sequence<UInt8> & Sendable) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Queues bytes without waiting until the server takes them.
    func offer(_ bytes: [UInt8]) {
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// Whether the server took so much of what was offered that more can be queued.
    var isFree: Bool { channel.isWritable }

    /// The next bytes that came; nil when the server has closed.
    func receive() async throws -> [UInt8]? {
        // A test that is given up must not wait on.
        try await withTaskCancellationHandler {
            try await channel.eventLoop.flatSubmit { [stage, channel] in
                stage.value.next(on: channel.eventLoop)
            }.get().map { Array($0.readableBytesView) }
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    /// Everything until the server closes.
    func receiveAll() async throws -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try await receive() { all += bytes }
        return all
    }

    /// Goes away without a word.
    func close() async {
        try? await channel.close()
    }
}
