import Foundation
import Synchronization
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

@Suite(.timeLimit(.minutes(1))) struct ServerGuardTests {
    private static let token = "correct-horse-battery"

    private func withToken(
        _ configure: (inout StudioConfiguration) -> Void = { _ in },
        _ test: @Sendable (StudioUnderTest) async throws -> Void
    ) async throws {
        try await StudioUnderTest.run(
            configure: {
                $0.token = try AccessToken(Self.token)
                // How long a wrong token waits is asked of `AuthenticationThrottle`.
                $0.limits.wrongTokenDelay = .milliseconds(1)
                $0.limits.wrongTokenMaximumDelay = .milliseconds(1)
                configure(&$0)
            }, test)
    }

    // MARK: Host

    @Test(arguments: ["127.0.0.1:PORT", "localhost:PORT", "LOCALHOST:PORT", "studio.example", "studio.example:8443"])
    func `a host that is ours is let in`(host: String) async throws {
        try await StudioUnderTest.run(configure: { $0.allowedHosts = ["studio.example"] }) { studio in
            let host = host.replacing("PORT", with: "\(studio.port)")
            try expect(200, await studio.ask("GET", "/", ["Host": host]))
        }
    }

    @Test(arguments: [
        "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:PORT",
        "127.0.0.1.evil.example:PORT", "[::1]:PORT", "studio.example",
    ]) func `a name that another site has resolve to this machine is refused`(host: String) async throws {
        try await StudioUnderTest.run { studio in
            let host = host.replacing("PORT", with: "\(studio.port)")
            for target in ["/", "/api/uploads", "/live"] {
                let answer = try await studio.ask("GET", target, ["Host": host])
                #expect(answer?.status == 421)
                #expect(answer?.code == "wrong-host")
            }
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: HOST, evil.example\r\n\r\n", "GET http://HOST/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a@HOST\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n",
    ]) func `a request that does not name one host and a path is refused`(request: String) async throws {
        try await StudioUnderTest.run { studio in
            let client = try await studio.client()
            try await client.send(request.replacing("HOST", with: studio.host))
            #expect(try await client.answer()?.status == 400)
            #expect(try await client.receive() == nil)
        }
    }

    // MARK: Origin

    @Test(arguments: ["http://evil.example", "null", "http://127.0.0.1:1", "https://HOST.evil.example", "file://HOST"])
    func `a page of another site is refused`(origin: String) async throws {
        try await StudioUnderTest.run { studio in
            let origin = origin.replacing("HOST", with: studio.host)
            for (method, target) in [("GET", "/"), ("POST", "/api/uploads"), ("DELETE", "/api/uploads/x")] {
                let answer = try await studio.ask(method, target, ["Origin": origin])
                #expect(answer?.status == 403)
                #expect(answer?.code == "wrong-origin")
            }
            let socket = try await RawSocket.open(studio, ["Origin": origin])
            #expect(socket.handshake.status == 403)
        }
    }

    @Test func `our own page is let in directly and through a proxy`() async throws {
        try await StudioUnderTest.run(configure: { $0.allowedHosts = ["studio.example"] }) { studio in
            try expect(200, await studio.ask("GET", "/", ["Origin": "http://\(studio.host)"]))
            let proxied = ["Host": "studio.example", "Origin": "https://studio.example"]
            try expect(200, await studio.ask("GET", "/", proxied))
            try expect(101, await RawSocket.open(studio, proxied).handshake)
        }
    }

    @Test func `requests embedded in another site's page are refused`() async throws {
        try await StudioUnderTest.run { studio in
            for site in ["cross-site", "same-site"] {
                try expect(403, await studio.ask("GET", "/api/status", ["Sec-Fetch-Site": site]))
            }
            // A link to the page is fine.
            try expect(200, await studio.ask("GET", "/", ["Sec-Fetch-Site": "cross-site"]))
        }
    }

    // MARK: Token

    @Test func `without the token every request is refused`() async throws {
        try await withToken { studio in
            for target in ["/", "/parts/app.js", "/api/status", "/api/uploads", "/nowhere"] {
                try expect(401, await studio.ask("GET", target))
            }
            try expect(401, await RawSocket.open(studio).handshake)
        }
    }

    @Test(arguments: ["", "correct-horse-batter", "correct-horse-battery-staple", "correct-horse-batterY"])
    func `a wrong token is refused in every way it can be sent`(word: String) async throws {
        try await withToken { studio in
            try expect(401, await studio.ask("GET", "/", ["Authorization": "Bearer \(word)"]))
            try expect(401, await studio.ask("GET", "/", ["Cookie": "\(studio.cookieName)=\(word)"]))
            try expect(401, await studio.ask("GET", "/?token=\(word)"))
            try expect(401, await RawSocket.open(studio, ["Cookie": "\(studio.cookieName)=\(word)"]).handshake)
        }
    }

    @Test func `the token is taken as a field or a cookie`() async throws {
        try await withToken { studio in
            try expect(200, await studio.ask("GET", "/", ["Authorization": "Bearer \(Self.token)"]))
            let cookie = ["Cookie": "a=b; \(studio.cookieName)=\(Self.token)"]
            try expect(200, await studio.ask("GET", "/", cookie))
            try expect(101, await RawSocket.open(studio, cookie).handshake)
            // Another page of this host may have set one of the same name for a path, which browsers send first.
            let both = "\(studio.cookieName)=other; \(studio.cookieName)=\(Self.token)"
            try expect(200, await studio.ask("GET", "/", ["Cookie": both]))
        }
    }

    @Test func `the address with the token sets the cookie and leads away from itself`() async throws {
        try await withToken { studio in
            let answer = try await studio.ask("GET", "/?token=\(Self.token)")
            #expect(answer?.status == 303)
            // Of the folder that the browser knows, which a proxy may have chosen.
            #expect(answer?["Location"] == "./")
            #expect(answer?["Set-Cookie"] == "\(studio.cookieName)=\(Self.token); HttpOnly; SameSite=Strict")
            #expect(answer?["Referrer-Policy"] == "no-referrer")
            // Only there: an address of the interface that carries a token in its query stays closed.
            try expect(401, await studio.ask("GET", "/api/status?token=\(Self.token)"))
        }
    }

    @Test func `the cookie of another studio of this machine opens nothing`() async throws {
        try await withToken { studio in
            let other = ["Cookie": "kinema-token-\(studio.port + 1)=\(Self.token); kinema-token=\(Self.token)"]
            try expect(401, await studio.ask("GET", "/", other))
        }
    }

    @Test func `a ticket lets one browser in and is used up by it`() async throws {
        let ticket = AccessTicket()
        try await withToken({ $0.ticket = ticket }) { studio in
            let answer = try await studio.ask("GET", "/?token=\(ticket.text)")
            #expect(answer?.status == 303)
            // What it is exchanged for is the token itself.
            #expect(answer?["Set-Cookie"]?.contains("=\(Self.token);") == true)
            try expect(401, await studio.ask("GET", "/?token=\(ticket.text)"))
            try expect(401, await studio.ask("GET", "/", ["Authorization": "Bearer \(ticket.text)"]))
        }
    }

    @Test func `a person without the token is told what to open, a program by a code`() async throws {
        try await withToken { studio in
            let page = try await studio.ask("GET", "/", ["Accept": "text/html,*/*"])
            #expect(page?.status == 401)
            #expect(page?["Content-Type"]?.hasPrefix("text/html") == true)
            #expect(page?.text.contains("needs its token") == true)
            #expect(try await studio.ask("GET", "/api/status", ["Accept": "text/html"])?.code == "wrong-token")
        }
    }

    @Test func `wrong tokens are told of in one line, without what could move a cursor`() async throws {
        let told = Mutex<[String]>([])
        try await withToken({
            $0.limits.wrongTokenReportInterval = .seconds(3_600)
            $0.report = { finding in told.withLock { $0.append("\(finding)") } }
        }) { studio in
            let fields = ["Authorization": "Bearer no", "X-Forwarded-For": "1.2.3.4\u{9B}2J\u{202E}"]
            for _ in 0..<5 { try expect(401, await studio.ask("GET", "/api/status", fields)) }
            // Whoever brings no token at all is not guessing.
            try expect(401, await studio.ask("GET", "/api/status"))
        }
        #expect(told.withLock { $0 } == ["1 wrong token from 127.0.0.1 (for 1.2.3.42J)"])
    }

    @Test func `the right token is accepted while wrong ones wait`() async throws {
        try await withToken({
            $0.limits.wrongTokenDelay = .seconds(600)
            $0.limits.wrongTokenMaximumDelay = .seconds(600)
            $0.limits.connectionsPerAddress = 3
        }) { studio in
            var guesses: [RawClient] = []
            // They hold every place of their address; the one that waits longest goes.
            for _ in 0..<3 {
                let client = try await studio.client()
                // Its answer shows that it has a place.
                try await client.send(studio.request("GET", "/"))
                try expect(401, await client.answer())
                try await client.send(studio.request("GET", "/", ["Authorization": "Bearer no"]))
                guesses.append(client)
            }
            try expect(200, await studio.ask("GET", "/", ["Authorization": "Bearer \(Self.token)"]))
            // Connections are served by several threads, so any of them can be the one that began to wait first.
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for guess in guesses { group.addTask { try await guess.receive() == nil } }
                let closed = try await group.next()
                #expect(closed == true)
                group.cancelAll()
            }
        }
    }

    @Test func `an address that guesses is checked in turn, also if it hangs up, and the right token soon`()
        async throws
    {
        let checked = Mutex(0)
        try await withToken({
            $0.limits.wrongTokenReportInterval = .zero
            $0.report = { _ in checked.withLock { $0 += 1 } }
        }) { studio in
            let begin = ContinuousClock.now
            let guessing = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            while !Task.isCancelled {
                                let client = try await RawClient(studio.port)
                                client.offer(Array(studio.request("GET", "/", ["Authorization": "Bearer no"]).utf8))
                                try? await Task.sleep(for: .milliseconds(10))
                                await client.close()
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try await Task.sleep(for: .seconds(1))
            for _ in 0..<3 {
                let asked = ContinuousClock.now
                try expect(200, await studio.ask("GET", "/", ["Authorization": "Bearer \(Self.token)"]))
                #expect(ContinuousClock.now - asked < .seconds(2))
            }
            guessing.cancel()
            _ = await guessing.result
            // One each 20 ms, and those that came with the first.
            #expect(checked.withLock { Double($0) } <= 60 * ((ContinuousClock.now - begin) / .seconds(1)) + 10)
        }
    }

    @Test(arguments: [
        "short", "has space in it", "semicolon;inside", "ünïcödé-letters", "studio-passwd", "qzkfwhxlmvbty",
        "9f8a3c61e07b54d", "1029384756102938475", "abcdefghijklmnopqrst", "12345678901234567890",
        "aaaaaaaaaaaaaaaaaaaaaa",
        "kinemakinemakinema", "00000000000000000000000000000000",
    ]) func `a token that cannot be sent or can be guessed is no token`(text: String) {
        #expect(throws: (any Error).self) { try AccessToken(text) }
    }

    @Test(arguments: [
        "9f8a3c61e07b54d2", "qzkfwhxlmvbtyc", "10293847561029384757", "Xk3-Vw9_Qm2.", "correct-horse-battery",
    ])
    func `a token of 64 bits is one`(text: String) throws {
        #expect(try AccessToken(text).text == text)
    }

    @Test func `random tokens differ`() {
        let tokens = Set((0..<100).map { _ in AccessToken.random().text })
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.count == 32 })
    }
}
