import Foundation
import Testing

@testable import KinemaStudio

@Suite(.timeLimit(.minutes(1))) struct ServerLimitTests {
    /// Soon enough not to wait for, late enough not to strike a healthy client first.
    private static let soon = Duration.milliseconds(300)

    private func run(
        _ limits: @escaping (inout StudioLimits) -> Void, _ test: @Sendable (StudioUnderTest) async throws -> Void
    ) async throws {
        try await StudioUnderTest.run(configure: { limits(&$0.limits) }, test)
    }

    // MARK: Size

    @Test func aHeaderThatIsTooLargeIsRefused() async throws {
        try await run({ $0.headBytes = 4_096 }) { studio in
            try expect(200, await studio.ask("GET", "/", ["X": String(repeating: "x", count: 3_000)]))
            try expect(431, await studio.ask("GET", "/", ["X": String(repeating: "x", count: 5_000)]))
        }
    }

    @Test func aHeaderWithoutEndIsRefusedBeforeItEnds() async throws {
        try await run({ $0.headBytes = 4_096 }) { studio in
            let client = try await studio.client()
            try await client.send("GET / HTTP/1.1\r\nHost: \(studio.host)\r\nX: ")
            try? await client.send(String(repeating: "x", count: 8_192))
            #expect(try await client.answer()?.status == 431)
        }
    }

    @Test func tooManyFieldsAreRefused() async throws {
        try await run({ $0.headFields = 20 }) { studio in
            func fields(_ count: Int) -> [String: String] {
                Dictionary(uniqueKeysWithValues: (0..<count).map { ("X-\($0)", "y") })
            }
            try expect(200, await studio.ask("GET", "/", fields(19)))
            try expect(431, await studio.ask("GET", "/", fields(20)))
        }
    }

    @Test func anAddressThatIsTooLongIsRefused() async throws {
        try await run({ $0.addressBytes = 100 }) { studio in
            try expect(200, await studio.ask("GET", "/?" + String(repeating: "x", count: 98)))
            try expect(414, await studio.ask("GET", "/?" + String(repeating: "x", count: 99)))
        }
    }

    @Test func aLargeBodyThatNobodyAskedForEndsTheConnection() async throws {
        try await run({ $0.bodyBytes = 100 }) { studio in
            for (length, field) in [(100, nil), (101, "close")] {
                let client = try await studio.client()
                try await client.send(studio.request("GET", "/", ["Content-Length": "\(length)"]))
                try await client.send(String(repeating: "x", count: length))
                #expect(try await client.answer()?["Connection"] == field)
            }
        }
    }

    // MARK: Time

    @Test func aHeadThatDripsIsGivenUp() async throws {
        try await run({ $0.headTime = Self.soon }) { studio in
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

    @Test func aConnectionWithoutARequestIsClosed() async throws {
        try await run({ $0.keepAlive = .seconds(2) }) { studio in
            #expect(try await studio.client().receive() == nil)
            let client = try await studio.client()
            try await client.send(studio.request("GET", "/"))
            #expect(try await client.answer()?.status == 200)
            #expect(try await client.receive() == nil)
        }
    }

    @Test func aBodyThatStopsIsGivenUp() async throws {
        try await run({ $0.bodySilence = Self.soon }) { studio in
            let client = try await studio.client()
            try await client.send(studio.request("POST", "/api/uploads", ["Content-Length": "5000"]) + "\0\0\0 ftyp")
            #expect(try await client.answer()?.status == 408)
            #expect(studio.uploadedFiles() == [])
        }
    }

    @Test func aBodyThatDripsIsGivenUp() async throws {
        try await run({ $0.bodyTime = Self.soon }) { studio in
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

    // MARK: Number

    @Test func moreConnectionsThanAreTakenAreClosedAndLeaveRoomAgain() async throws {
        try await run({ $0.connections = 3 }) { studio in
            var clients: [RawClient] = []
            for _ in 0..<3 {
                let client = try await studio.client()
                try await client.send(studio.request("GET", "/"))
                #expect(try await client.answer()?.status == 200)
                clients.append(client)
            }
            let refused = try await studio.client()
            #expect(try await refused.receive() == nil)
            await clients[0].close()
            // The server sees the end of the first in its own time.
            while (try? await studio.ask("GET", "/"))?.status != 200 {}
            try await clients[1].send(studio.request("GET", "/"))
            #expect(try await clients[1].answer()?.status == 200)
        }
    }

    @Test func moreRequestsAtOnceThanAreTakenAreToldToWait() async throws {
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
