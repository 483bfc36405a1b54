import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct ServerLimitTests {
    /// Soon enough not to wait for, late enough not to strike a healthy client first.
    private static let soon = Duration.milliseconds(300)

    private func run(
        _ limits: @escaping (inout StudioLimits) -> Void, _ test: @Sendable (StudioUnderTest) async throws -> Void
    ) async throws {
        try await StudioUnderTest.run(configure: { limits(&$0.limits) }, test)
    }

    // MARK: Size

    @Test func `a header that is too large is refused`() async throws {
        try await run({ $0.headBytes = 4_096 }) { studio in
            try expect(200, await studio.ask("GET", "/", ["X": String(repeating: "x", count: 3_000)]))
            try expect(431, await studio.ask("GET", "/", ["X": String(repeating: "x", count: 5_000)]))
        }
    }

    @Test func `a header without end is refused before it ends`() async throws {
        try await run({ $0.headBytes = 4_096 }) { studio in
            let client = try await studio.client()
            try await client.send("GET / HTTP/1.1\r\nHost: \(studio.host)\r\nX: ")
            try? await client.send(String(repeating: "x", count: 8_192))
            #expect(try await client.answer()?.status == 431)
        }
    }

    @Test func `too many fields are refused`() async throws {
        try await run({ $0.headFields = 20 }) { studio in
            func fields(_ count: Int) -> [String: String] {
                Dictionary(uniqueKeysWithValues: (0..<count).map { ("X-\($0)", "y") })
            }
            try expect(200, await studio.ask("GET", "/", fields(19)))
            try expect(431, await studio.ask("GET", "/", fields(20)))
        }
    }

    @Test func `an address that is too long is refused`() async throws {
        try await run({ $0.addressBytes = 100 }) { studio in
            try expect(200, await studio.ask("GET", "/?" + String(repeating: "x", count: 98)))
            try expect(414, await studio.ask("GET", "/?" + String(repeating: "x", count: 99)))
        }
    }

    @Test func `a large body that nobody asked for ends the connection`() async throws {
        try await run({ $0.bodyBytes = 100 }) { studio in
            for (length, field) in [(100, nil), (101, "close")] {
                let client = try await studio.client()
                // In one piece: the server may close as soon as it has read the head.
                let head = studio.request("GET", "/", ["Content-Length": "\(length)"])
                try await client.send(head + String(repeating: "x", count: length))
                #expect(try await client.answer()?["Connection"] == field)
            }
        }
    }

    // MARK: Time

    @Test func `a head that arrives too slowly is abandoned`() async throws {
        try await run({ ($0.headTimeout, $0.headFields) = (Self.soon, 100_000) }) { studio in
            let client = try await studio.client()
            try await client.send("GET / HTTP/1.1\r\n")
            // The drip does not move the end.
            let drip = Task {
                while !Task.isCancelled {
                    try await client.send("X: y\r\n")
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let answer = try await client.answer()
            drip.cancel()
            #expect(answer?.status == 408)
            #expect(answer?.code == "too-slow")
        }
    }

    @Test func `a connection without a further request is closed`() async throws {
        try await run({ $0.keepAliveTimeout = .seconds(2) }) { studio in
            let client = try await studio.client()
            try await client.send(studio.request("GET", "/"))
            #expect(try await client.answer()?.status == 200)
            #expect(try await client.receive() == nil)
        }
    }

    @Test func `a body that stops is abandoned`() async throws {
        try await run({ $0.bodyIdleTimeout = Self.soon }) { studio in
            let client = try await studio.client()
            try await client.send(studio.request("POST", "/api/uploads", ["Content-Length": "5000"]) + "\0\0\0 ftyp")
            #expect(try await client.answer()?.status == 408)
            #expect(studio.uploadedFiles() == [])
        }
    }

    @Test func `a body that arrives too slowly is abandoned`() async throws {
        try await run({ $0.bodyTimeout = Self.soon }) { studio in
            let client = try await studio.client()
            try await client.send(studio.request("POST", "/api/uploads", ["Content-Length": "50000"]) + "\0\0\0 ftyp")
            let drip = Task {
                while !Task.isCancelled {
                    try await client.send("x")
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            #expect(try await client.answer()?.status == 408)
            drip.cancel()
        }
    }

    @Test func `a body of JSON has a least rate`() async throws {
        let limits: (inout StudioLimits) -> Void = { ($0.uploadRate, $0.uploadWindow) = (1_000_000, Self.soon) }
        try await StudioUnderTest.run(configure: { limits(&$0.limits) }, history: true) { studio in
            let client = try await studio.client()
            try await client.send(studio.request("PUT", "/api/history/\(UUID())/note", ["Content-Length": "100"]))
            for _ in 0..<100 {
                try? await client.send(" ")
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await client.answer()?.status == 408)
        }
    }

    // MARK: Number

    @Test func `bodies of JSON that are awaited hold no request's place, and their connections make room`() async throws
    {
        let limits: (inout StudioLimits) -> Void = { ($0.requests, $0.connectionsPerAddress) = (2, 4) }
        try await StudioUnderTest.run(configure: { limits(&$0.limits) }, history: true) { studio in
            for method in ["PUT", "PUT", "PUT", "PUT", "DELETE", "DELETE", "DELETE", "DELETE"] {
                let client = try await studio.client()
                let path = method == "PUT" ? "/api/history/\(UUID())/note" : "/api/history"
                try await client.send(studio.request(method, path, ["Content-Length": "100"]) + "{")
                try await Task.sleep(for: .milliseconds(50))
            }
            for _ in 0..<5 { try expect(200, await studio.ask("GET", "/")) }
        }
    }

    @Test(arguments: [false, true])
    func `the connection that has been idle longest makes room for a new one`(ofOne: Bool) async throws {
        let bearer = ["Authorization": "Bearer correct-horse-battery"]
        let (refusals, refused) = AsyncStream.makeStream(of: Void.self)
        try await StudioUnderTest.run(configure: {
            $0.token = try AccessToken("correct-horse-battery")
            $0.report = { _ in refused.finish() }
            ($0.limits.wrongTokenDelay, $0.limits.wrongTokenMaximumDelay) = (.seconds(600), .seconds(600))
            if ofOne { $0.limits.connectionsPerAddress = 3 } else { $0.limits.connections = 3 }
        }) { studio in
            var clients: [RawClient] = []
            for _ in 0..<3 {
                let client = try await studio.client()
                try await client.send(studio.request("GET", "/", bearer))
                #expect(try await client.answer()?.status == 200)
                clients.append(client)
            }
            // A connection is idle soon after its answer, not with it: that its next request is refused shows that it is.
            try await clients[1].send(studio.request("GET", "/", ["Authorization": "Bearer no"]))
            for await _ in refusals {}
            // The others have had something to ask since, so the second has been idle longest.
            for place in [0, 2, 0] {
                try await clients[place].send(studio.request("GET", "/", bearer))
                #expect(try await clients[place].answer()?.status == 200)
            }
            try expect(200, await studio.ask("GET", "/", bearer))
            #expect(try await clients[1].receive() == nil)
        }
    }

    @Test func `silent connections lock no one out`() async throws {
        try await run({ _ in }) { studio in
            var silent: [RawClient] = []
            for _ in 0..<140 { silent.append(try await studio.client()) }
            try expect(200, await studio.ask("GET", "/"))
            for client in silent { await client.close() }
        }
    }

    @Test func `a connection at work is never closed for a new one, which is refused where all are`() async throws {
        try await run({ $0.connectionsPerAddress = 2 }) { studio in
            let socket = try await RawSocket.open(studio)
            let upload = try await studio.client()
            try await upload.send(studio.request("POST", "/api/uploads", ["Content-Length": "13"]) + "\0\0\0 ftypisom")
            while studio.uploadedFiles().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let refused = try await studio.client()
            #expect(try await refused.receive() == nil)
            try await socket.send("still here")
            #expect(try await socket.frames(1).first?.text == "still here")
            try await upload.send("x")
            #expect(try await upload.answer()?.status == 201)
            // The upload is done, so its connection makes room.
            while (try? await studio.ask("GET", "/"))?.status != 200 {}
        }
    }

    @Test func `a connection that says nothing is closed before one that waits between two requests`() async throws {
        try await run({ ($0.firstByteTimeout, $0.keepAliveTimeout) = (Self.soon, .seconds(600)) }) { studio in
            var client = try await studio.client()
            // On a busy machine even a healthy client may be too late to begin with.
            while true {
                try? await client.send(studio.request("GET", "/"))
                if try await client.answer()?.status == 200 { break }
                client = try await studio.client()
            }
            #expect(try await studio.client().receive() == nil)
            try await client.send(studio.request("GET", "/"))
            #expect(try await client.answer()?.status == 200)
        }
    }

    @Test func `more requests at once than are taken are told to wait`() async throws {
        try await run({ $0.requests = 1 }) { studio in
            let upload = try await studio.client()
            try await upload.send(studio.request("POST", "/api/uploads", ["Content-Length": "13"]) + "\0\0\0 ftypisom")
            while studio.uploadedFiles().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let answer = try await studio.ask("GET", "/")
            #expect(answer?.status == 503)
            #expect(answer?["Retry-After"] == "1")
            try await upload.send("x")
            #expect(try await upload.answer()?.status == 201)
            try expect(200, await studio.ask("GET", "/"))
        }
    }
}
