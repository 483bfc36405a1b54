import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio
@testable import KinemaWatch

/// The server of metrics, and the listener that it shares with the studio.
@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct TextServerTests {
    /// Runs a server around the test; cancels it at the end and waits for it.
    private func serve(names: [String] = [], _ test: @Sendable (_ port: Int) async throws -> Void) async throws {
        let server = try await TextServer(host: "127.0.0.1", port: 0, names: names) { path in
            path == "/metrics" ? TextServer.Answer(text: "up 1\n") : nil
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            try await test(server.port)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func ask(
        _ port: Int, _ head: String = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"
    ) async throws -> RawAnswer? {
        let client = try await RawClient(port)
        try await client.send(head.replacing("PORT", with: "\(port)"))
        return try await client.answer(hasBody: !head.hasPrefix("HEAD"))
    }

    @Test func `300 idle connections do not keep others from an answer`() async throws {
        try await serve { port in
            var idle: [RawClient] = []
            for number in 0..<300 {
                idle.append(try await RawClient(port))
                if number % 100 == 99 { try expect(200, await ask(port)) }
            }
            #expect(try await ask(port)?.text == "up 1\n")
            // The server ends with the connections that are left.
            for client in idle.prefix(200) { #expect(try await client.receive() == nil) }
        }
    }

    @Test(arguments: [
        ("GET /metrics HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 200),
        ("GET /metrics?x=1 HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 200),
        ("HEAD /metrics HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 200),
        ("GET /metrics HTTP/1.1\r\nHost: gym.example\r\n\r\n", 200),
        ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        ("GET /metrics HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n", 421),
        ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.evil.example:PORT\r\n\r\n", 421),
        ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://evil.example\r\n\r\n", 403),
        ("GET /metrics HTTP/1.1\r\n\r\n", 400),
        ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT\r\n\r\n", 400),
        ("GET /other HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404),
        ("POST /metrics HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 2\r\n\r\nhi", 405),
        ("no request at all\r\n\r\n", 400),
    ]) func `only requests with the server's host name are answered`(request: String, status: Int) async throws {
        try await serve(names: ["gym.example"]) { port in
            let answer = try await ask(port, request)
            #expect(answer?.status == status)
            #expect(status == 200 || answer?.text.contains("up 1") == false)
        }
    }

    @Test func `a place where it cannot listen is reported in one line that names the setting`() async throws {
        try await serve { port in
            for (host, message) in [
                ("256.1.1.1", "cannot listen on 256.1.1.1: it is not an address of this machine"),
                ("127.0.0.1", "port \(port) is in use; choose another with listen:, or 0 for any free one"),
            ] {
                let error = await #expect(throws: KinemaError.self) {
                    try await TextServer(host: host, port: port) { _ in nil }
                }
                #expect(error?.message == message)
            }
        }
    }

    @Test func `a connection that was accepted and not served is closed with the server`() async throws {
        var limits = StudioLimits()
        limits.firstByteTimeout = .seconds(600)
        limits.connections = 1
        let listener = try await HTTPListener(host: "127.0.0.1", port: 0, setting: "--port", limits: limits)
        let (first, second) = (try await RawClient(listener.port), try await RawClient(listener.port))
        let running = try await withThrowingTaskGroup(of: Bool.self) { group in
            for client in [first, second] { group.addTask { try await client.receive() == nil } }
            // Both were accepted, in either order: the later one took the place of the other.
            let displaced = try await group.next()
            let running = Task { await listener.run { _ in } }
            running.cancel()
            let left = try await group.next()
            #expect(displaced == true && left == true)
            return running
        }
        await running.value
    }
}
