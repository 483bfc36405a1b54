import Foundation
import KinemaCore
import KinemaTestSupport
import Synchronization
import Testing

@testable import KinemaHTTP
@testable import KinemaPhones
@testable import KinemaStudio

@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct ServerFlowTests {
    /// Sends without end, and tells how that went.
    private final class Flood: LiveServing {
        let sent = Atomic(0)
        let wasBehind = Atomic(false)
        let ended = Atomic(false)

        func serve(_ socket: some LiveSocket, from client: LiveSender) async {
            let picture = SocketMessage.binary(Data(repeating: 7, count: 50_000))
            while (try? await socket.send(picture)) != nil {
                sent.add(1, ordering: .relaxed)
                if socket.isBehind { wasBehind.store(true, ordering: .relaxed) }
            }
            ended.store(true, ordering: .relaxed)
        }
    }

    /// Reads nothing until it is cancelled.
    private struct Deaf: LiveServing {
        func serve(_ socket: some LiveSocket, from client: LiveSender) async {
            try? await Task.sleep(for: .seconds(3_600))
        }
    }

    /// Reads one message for each permission.
    private struct Slow: LiveServing {
        let steps: AsyncStream<Void>

        func serve(_ socket: some LiveSocket, from client: LiveSender) async {
            var messages = socket.messages.makeAsyncIterator()
            for await _ in steps {
                guard let message = try? await messages.next() else { return }
                try? await socket.send(message)
            }
        }
    }

    @Test func `a client that reads nothing holds the sender and is let go`() async throws {
        let flood = Flood()
        try await StudioUnderTest.run(live: flood, configure: { $0.limits.writeTimeout = .milliseconds(500) }) {
            studio in
            let socket = try await RawSocket.open(studio)
            #expect(socket.handshake.status == 101)
            while !flood.ended.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(5)) }
            // What the system and the server hold for the client: not even two megabytes.
            #expect(flood.sent.load(ordering: .relaxed) < 40)
            // Another is served as if nothing had been.
            try expect(200, await studio.ask("GET", "/"))
        }
    }

    @Test func `a client that reads gets everything`() async throws {
        let flood = Flood()
        try await StudioUnderTest.run(live: flood) { studio in
            let socket = try await RawSocket.open(studio)
            #expect(try await socket.frames(100).map(\.data.count) == [Int](repeating: 50_000, count: 100))
        }
    }

    @Test func `nothing is read for a service that does not ask`() async throws {
        try await StudioUnderTest.run(live: Deaf()) { studio in
            let socket = try await RawSocket.open(studio)
            let frame = RawSocket.bytes(0x82, [UInt8](repeating: 1, count: 60_000))
            // With nobody reading, the system's buffers fill and the client feels it; 3 MB do not fit there, and a
            // server that read them would have done so by then.
            for _ in 0..<50 { socket.client.offer(frame) }
            try await Task.sleep(for: .seconds(2))
            #expect(!socket.client.isFree)
        }
    }

    @Test func `a service that takes its time loses no message and no client`() async throws {
        let (steps, permit) = AsyncStream.makeStream(of: Void.self)
        try await StudioUnderTest.run(
            live: Slow(steps: steps), configure: { $0.limits.idleTimeout = .milliseconds(400) }
        ) { studio in
            let socket = try await RawSocket.open(studio)
            for index in 0..<5 { try await socket.send("\(index)") }
            // Longer than silence is borne; but it is the service that does not listen.
            try await Task.sleep(for: .milliseconds(1_000))
            for index in 0..<5 {
                permit.yield()
                #expect(try await socket.frames(1).first?.text == "\(index)")
            }
            permit.finish()
        }
    }

    @Test func `when the studio closes every socket is told so`() async throws {
        try await StudioUnderTest.run { studio in
            let server = try StudioServer(
                {
                    var configuration = StudioConfiguration()
                    configuration.port = 0
                    configuration.page = studio.folder.file("page")
                    return configuration
                }(), services: StudioServices(live: EchoLive(), uploads: UploadStore(limits: StudioLimits())))
            let (ports, told) = AsyncStream.makeStream(of: Int.self)
            let running = Task { try await server.run { told.yield($0) } }
            var iterator = ports.makeAsyncIterator()
            let other = StudioUnderTest(port: try #require(await iterator.next()), folder: studio.folder)
            let socket = try await RawSocket.open(other)
            // Some of them are still being accepted.
            var idle: [RawClient] = []
            for _ in 0..<20 { idle.append(try await other.client()) }
            running.cancel()
            #expect(try await socket.frames().map(\.status) == [1001])
            for client in idle { #expect(try await client.receive() == nil) }
            try await running.value
            await #expect(throws: (any Error).self) { try await RawClient(other.port) }
        }
    }

    @Test func `a port in use is reported in one line`() async throws {
        try await StudioUnderTest.run { studio in
            var configuration = StudioConfiguration()
            configuration.port = studio.port
            configuration.page = studio.folder.file("page")
            let uploads = UploadStore(limits: StudioLimits())
            let server = try StudioServer(configuration, services: StudioServices(live: EchoLive(), uploads: uploads))
            let error = await #expect(throws: KinemaError.self) { try await server.run { _ in } }
            #expect(error?.message.contains("port \(studio.port) is in use") == true)
        }
    }

    @Test(arguments: ["0.0.0.0", "::", "192.168.1.2"]) func `an address that others reach needs a token`(host: String)
        throws
    {
        var configuration = StudioConfiguration()
        configuration.host = host
        let services = StudioServices(live: EchoLive(), uploads: UploadStore(limits: StudioLimits()))
        let error = #expect(throws: KinemaError.self) { try StudioServer(configuration, services: services) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `a missing page is reported in one line`() throws {
        var configuration = StudioConfiguration()
        configuration.page = URL(filePath: "/nowhere")
        let services = StudioServices(live: EchoLive(), uploads: UploadStore(limits: StudioLimits()))
        let error = #expect(throws: KinemaError.self) { try StudioServer(configuration, services: services) }
        #expect(error?.code == .missingComponent)
    }
}
