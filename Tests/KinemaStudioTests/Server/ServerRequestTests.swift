import Foundation
import Testing

@testable import KinemaStudio

@Suite(.timeLimit(.minutes(1))) struct ServerRequestTests {
    @Test func `the page and its files come with their types`() async throws {
        try await StudioUnderTest.run { studio in
            let page = try await studio.ask("GET", "/")
            #expect(page?.status == 200)
            #expect(page?.text == StudioUnderTest.index)
            #expect(page?["Content-Type"] == "text/html; charset=utf-8")
            let script = try await studio.ask("GET", "/parts/app.js")
            #expect(script?.text == "export {}")
            #expect(script?["Content-Type"] == "text/javascript; charset=utf-8")
        }
    }

    @Test func `a head has the header and no body`() async throws {
        try await StudioUnderTest.run { studio in
            let client = try await studio.client()
            try await client.send(studio.request("HEAD", "/"))
            let head = try await client.answer(hasBody: false)
            #expect(head?["Content-Length"] == "\(StudioUnderTest.index.utf8.count)")
            // What follows the header is the next answer.
            try await client.send(studio.request("GET", "/parts/app.js"))
            #expect(try await client.answer()?.text == "export {}")
        }
    }

    @Test func `a file that is known is not sent again`() async throws {
        try await StudioUnderTest.run { studio in
            let tag = try #require(try await studio.ask("GET", "/")?["ETag"])
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let answer = try await studio.ask("GET", "/", ["If-None-Match": known])
                #expect(answer?.status == 304)
                #expect(answer?["ETag"] == tag)
                #expect(answer?.body == [])
            }
            try expect(200, await studio.ask("GET", "/", ["If-None-Match": "\"other\""]))
        }
    }

    @Test(arguments: [
        "/../secret.txt", "/parts/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt",
        "/..%5csecret.txt", "/..\\secret.txt", "/%252e%252e/secret.txt", "/%c0%ae%c0%ae/secret.txt", "//secret.txt",
        "/./index.html", "/parts//app.js", "/parts/", "/parts", "/.hidden", "/link.txt", "/index.html%00.js",
        "/index.html/", "/INDEX.HTML", "/etc/passwd", "//etc/passwd", "/file:///etc/passwd",
    ]) func `no address reaches what is not on the page`(target: String) async throws {
        try await StudioUnderTest.run { studio in
            let answer = try await studio.ask("GET", target)
            #expect(answer?.status == 404)
            #expect(answer?.code == "not-found")
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"])
    func `a wrong method is told the right ones`(method: String) async throws {
        try await StudioUnderTest.run { studio in
            let answer = try await studio.ask(method, "/", ["Content-Length": "0"])
            #expect(answer?.status == 405)
            #expect(answer?["Allow"] == "GET, HEAD")
            try expect(405, await studio.ask(method, "/live", ["Content-Length": "0"]))
        }
    }

    @Test(arguments: [
        "rubbish\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "G\u{1}T / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    ]) func `an invalid request is refused and the connection closed`(text: String) async throws {
        try await StudioUnderTest.run { studio in
            let client = try await studio.client()
            try await client.send(text)
            #expect(try await client.answer()?.status == 400)
            #expect(try await client.receive() == nil)
        }
    }

    @Test func `every answer forbids the browser what the page does not need`() async throws {
        try await StudioUnderTest.run { studio in
            for (target, status) in [("/", 200), ("/nowhere", 404), ("/api/uploads", 200), ("/live", 426)] {
                let answer = try #require(try await studio.ask("GET", target))
                #expect(answer.status == status)
                let policy = answer["Content-Security-Policy"] ?? ""
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
                #expect(policy.hasSuffix("base-uri 'none'; form-action 'none'; frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(answer["X-Content-Type-Options"] == "nosniff")
                #expect(answer["Referrer-Policy"] == "no-referrer")
                #expect(answer["Permissions-Policy"]?.hasPrefix("camera=(self)") == true)
                #expect(answer["Cache-Control"] == (target == "/" ? "no-cache" : "no-store"))
            }
        }
    }

    @Test func `requests follow each other on one connection`() async throws {
        try await StudioUnderTest.run { studio in
            let client = try await studio.client()
            for (target, status) in [("/", 200), ("/nowhere", 404), ("/parts/app.js", 200)] {
                // A body that nobody asked for is read over.
                try await client.send(studio.request("GET", target, ["Content-Length": "5"]) + "extra")
                #expect(try await client.answer()?.status == status)
            }
            try await client.send(studio.request("GET", "/", ["Connection": "close"]))
            #expect(try await client.answer()?["Connection"] == "close")
            #expect(try await client.receive() == nil)
        }
    }

    @Test(arguments: [
        (["Upgrade": ""], 426), (["Connection": "keep-alive"], 426), (["Sec-WebSocket-Version": "8"], 426),
        (["Sec-WebSocket-Key": ""], 400), (["Sec-WebSocket-Protocol": "chat"], 400),
    ]) func `a handshake that is not right is refused`(fields: [String: String], status: Int) async throws {
        try await StudioUnderTest.run { studio in
            try expect(status, await RawSocket.open(studio, fields).handshake)
        }
    }

    @Test func `the handshake answers the key`() async throws {
        try await StudioUnderTest.run { studio in
            let handshake = try await RawSocket.open(studio).handshake
            #expect(handshake.status == 101)
            #expect(handshake["Sec-WebSocket-Accept"] == RawSocket.keyAnswer)
            #expect(handshake["Sec-WebSocket-Protocol"] == "kinema.2")
            #expect(
                try await RawSocket.open(studio, ["Sec-WebSocket-Protocol": ""]).handshake["Sec-WebSocket-Protocol"]
                    == nil)
        }
    }
}
