import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaHistory
@testable import KinemaPhones
@testable import KinemaStudio

/// Who is paired, and what a phone may do.
@Suite(.timeLimit(.minutes(2))) struct PhoneAccessTests {
    // MARK: Invitations

    @Test func `an invitation pairs one phone, once, within ten minutes`() throws {
        let desk = PairingDesk()
        let start = Date(timeIntervalSince1970: 1_000)
        let (first, second) = (desk.invite(at: start), desk.invite(at: start))
        #expect(first.token.count == 32 && first.token != second.token)
        #expect(desk.redeem("", at: start) == nil && desk.redeem(first.token + "0", at: start) == nil)
        #expect(desk.standing(of: first.id, at: start) == .waiting)
        #expect(desk.redeem(first.token, at: start + 599) == first.id)
        desk.complete(first.id, phone: "anna")
        #expect(desk.standing(of: first.id, at: start + 599) == .used(phone: "anna"))
        #expect(desk.redeem(first.token, at: start + 599) == nil)
        #expect(desk.redeem(second.token, at: start + 600) == nil)
        #expect(desk.standing(of: second.id, at: start + 600) == .expired)
        #expect(desk.token(of: first.id, at: start) == nil && desk.standing(of: "unknown") == nil)
    }

    @Test func `only the newest invitations are remembered`() {
        let desk = PairingDesk()
        let oldest = desk.invite()
        for _ in 0..<16 { _ = desk.invite() }
        #expect(desk.redeem(oldest.token) == nil && desk.standing(of: oldest.id) == nil)
    }

    // MARK: The list of phones

    @Test func `phones are kept for the next start, without what admits them`() throws {
        let folder = try TemporaryFolder()
        let registry = try PhoneRegistry(folder: folder.file("phones"))
        let (phone, cookie) = try #require(try registry.add(name: " Anna\u{1B}[2J\n "))
        #expect(phone.name == "Anna[2J")
        registry.record(UUID(), of: phone.id)
        _ = try registry.update(phone.id, mayReadHistory: true)
        let file = folder.file("phones/phones.json")
        #expect(try String(contentsOf: file, encoding: .utf8).contains(cookie) == false)
        for (path, rights) in [(file.path, 0o600), (folder.file("phones").path, 0o700)] {
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == rights)
        }
        let again = try PhoneRegistry(folder: folder.file("phones"))
        let known = try #require(again.phone(withCookie: cookie))
        #expect(known.id == phone.id && known.mayReadHistory && known.sessions.count == 1)
        #expect(again.phone(withCookie: cookie + "0") == nil)
        #expect(try again.add(name: "\u{200D}\u{2060}")?.phone.name == "Phone")
        // A cookie that was not used for as long as a browser keeps it.
        #expect(again.phone(withCookie: cookie, at: Date() + 89 * 86_400) != nil)
        #expect(again.phone(withCookie: cookie, at: Date() + 180 * 86_400) == nil)
        #expect(try again.remove(phone.id) && again.phone(withCookie: cookie) == nil)
        #expect(try again.remove(phone.id) == false)
    }

    @Test func `the thirty-third phone is refused, and a damaged list is reported`() throws {
        let folder = try TemporaryFolder()
        let registry = try PhoneRegistry(folder: folder.file("phones"))
        for _ in 0..<PhoneRegistry.most { #expect(try registry.add(name: "") != nil) }
        #expect(try registry.add(name: "") == nil)
        try Data("[{".utf8).write(to: folder.file("phones/phones.json"))
        let error = #expect(throws: KinemaError.self) { try PhoneRegistry(folder: folder.file("phones")) }
        #expect(error?.message.contains("delete it and pair the phones again") == true)
        // A studio without phones starts, and leaves the list as it is.
        var configuration = PhoneService.Configuration(folder: folder.file("phones"))
        configuration.startsOn = true
        #expect(throws: KinemaError.self) { try PhoneService(configuration) }
        configuration.startsOn = false
        let service = try PhoneService(configuration)
        #expect(try service.registry.all.isEmpty && service.registry.remove("x") == false)
        #expect(try String(contentsOf: folder.file("phones/phones.json"), encoding: .utf8) == "[{")
    }

    @Test func `a phone is gone also when the list cannot be written`() async throws {
        try await PhoneUnderTest.run { stranger in
            let phone = try await stranger.paired()
            let folder = phone.service.configuration.folder
            try FileManager.default.removeItem(at: folder)
            try Data().write(to: folder)
            try expect(507, await phone.owner("DELETE", "/api/phones/\(phone.id)"))
            try expect(401, await phone.ask("GET", "/api/phone"))
        }
    }

    @Test func `revoking ends a connection that does nothing and an answer that is being read`() async throws {
        try await PhoneUnderTest.run(history: true) { stranger in
            let phone = try await stranger.paired()
            let idle = try await phone.client()
            try await idle.send(phone.request("GET", "/api/phone"))
            try expect(200, await idle.answer())
            try expect(200, await phone.owner("PATCH", "/api/phones/\(phone.id)", body: #"{"history":true}"#))
            try expect(200, await phone.owner("PATCH", "/api/phones/\(phone.id)", body: #"{"history":false}"#))
            #expect(try await idle.receiveAll().isEmpty)
            let other = try await phone.client()
            try await other.send(phone.request("GET", "/api/phone"))
            try expect(200, await other.answer())
            try expect(204, await phone.owner("DELETE", "/api/phones/\(phone.id)"))
            #expect(try await other.receiveAll().isEmpty)
        }
    }

    @Test func `a code is not used up where no phone has room`() async throws {
        try await PhoneUnderTest.run { stranger in
            for _ in 0..<PhoneRegistry.most { _ = try stranger.service.registry.add(name: "") }
            let invitation = try #require(stranger.service.invite())
            let body = #"{"token":"\#(try #require(invitation.urls.first).suffix(32))"}"#
            try expect(409, await stranger.ask("POST", "/api/pair", body: body))
            try expect(204, await stranger.owner("DELETE", "/api/phones/\(stranger.id)"))
            try expect(200, await stranger.ask("POST", "/api/pair", body: body))
        }
    }

    // MARK: What a phone may do

    @Test func `without a cookie only the phone's page is there`() async throws {
        try await PhoneUnderTest.run { phone in
            for path in ["/phone", "/phone.html", "/now", "/parts/app.js"] {
                try expect(200, await phone.ask("GET", path))
            }
            let home = try await phone.ask("GET", "/")
            #expect(home?.status == 303 && home?["location"] == "./phone")
            for path in [
                "/index.html", "/room", "/room.html", "/history.html", "/api/status", "/api/phone", "/api/history",
                "/api/phones", "/api/room", "/api/room/now", "/live", "/api/live",
            ] {
                let answer = try await phone.ask("GET", path)
                #expect(answer?.status == 401 && answer?.code == "wrong-token", "\(path)")
            }
            try expect(401, await phone.ask("POST", "/api/live"))
            try expect(421, await phone.ask("GET", "/phone", ["Host": "evil.example:\(phone.port)"]))
            try expect(200, await phone.ask("GET", "/phone", ["Host": "studio.test:\(phone.port)"]))
            for origin in ["https://evil.example", "http://127.0.0.1:\(phone.port)"] {
                try expect(403, await phone.ask("GET", "/phone", ["Origin": origin]))
            }
            try expect(200, await phone.ask("GET", "/phone", ["Origin": "https://127.0.0.1:\(phone.port)"]))
            // A person is shown how to be paired.
            let review = try await phone.ask("GET", "/review.html", ["Accept": "text/html"])
            #expect(review?.status == 303 && review?["location"] == "./phone")
        }
    }

    @Test func `a code makes a cookie once, and not from the network alone`() async throws {
        try await PhoneUnderTest.run { phone in
            let invitation = try #require(phone.service.invite())
            let url = try #require(invitation.urls.first)
            #expect(url.hasPrefix("https://127.0.0.1:\(phone.port)/phone#pair="))
            let body = #"{"token":"\#(url.suffix(32))","name":"Anna"}"#
            let answer = try await phone.ask("POST", "/api/pair", body: body)
            expect(200, answer)
            let cookie = try #require(answer?["set-cookie"])
            for part in ["kinema-phone-\(phone.port)=", "HttpOnly", "Secure", "SameSite=Strict", "Path=/"] {
                #expect(cookie.contains(part))
            }
            let replayed = try await phone.ask("POST", "/api/pair", body: body)
            #expect(replayed?.status == 403 && replayed?.code == "pairing-expired" && replayed?["set-cookie"] == nil)
            try expect(400, await phone.ask("POST", "/api/pair", body: "{}"))
            let guessed = #"{"token":"00000000000000000000000000000000"}"#
            try expect(403, await phone.ask("POST", "/api/pair", body: guessed))
            #expect(phone.service.registry.all.count == 1)
        }
    }

    @Test func `a phone sees itself and records, and the rest is the owner's`() async throws {
        let secret = AccessToken.random()
        try await PhoneUnderTest.run(history: true, studio: { $0.token = secret }) { stranger in
            let phone = try await stranger.paired()
            let myself = try await phone.ask("GET", "/api/phone")
            #expect(myself?.json["name"] as? String == "Anna's phone" && myself?.json["history"] as? Bool == false)
            let status = try await phone.ask("GET", "/api/status")
            #expect(status?.json["inputs"] as? [String] == [] && status?.json["phone"] as? Bool == true)
            try expect(200, await phone.ask("GET", "/api/room/now"))
            let other = UUID().uuidString
            for (method, path) in [
                ("GET", "/api/history"), ("DELETE", "/api/history"), ("GET", "/api/history/\(other)"),
                ("DELETE", "/api/history/\(other)"), ("GET", "/api/history/archive"), ("GET", "/api/history/labels"),
                ("GET", "/api/people"), ("GET", "/api/phones"), ("POST", "/api/phones/pairing"),
                ("DELETE", "/api/phones/\(phone.id)"), ("GET", "/api/room"), ("PUT", "/api/room/now"),
                ("GET", "/api/room/events"), ("POST", "/api/uploads"), ("GET", "/api/classifiers"),
                ("POST", "/api/exercises"), ("GET", "/index.html"), ("GET", "/room"), ("GET", "/history.html"),
                ("POST", "/phone"), ("GET", "/api//history"), ("GET", "/api/history/../history"),
            ] {
                let answer = try await phone.ask(method, path)
                #expect(answer?.status == 403 && answer?.code == "owner-only", "\(method) \(path)")
            }
            // The owner's token opens nothing here.
            var thief = stranger
            for field in ["kinema-token-\(phone.port)=\(secret.text)", "kinema-phone-\(phone.port)=\(secret.text)"] {
                thief.cookie = field
                try expect(401, await thief.ask("GET", "/api/history"))
            }
            try expect(401, await stranger.ask("GET", "/api/history", ["Authorization": "Bearer \(secret.text)"]))
            // The page of phones is for everyone; the token makes no cookie of it.
            let home = try await stranger.ask("GET", "/?token=\(secret.text)")
            #expect(home?.status == 303 && home?["set-cookie"] == nil)
        }
    }

    @Test func `the owner lets a phone see the history, renames and revokes it`() async throws {
        try await PhoneUnderTest.run(history: true) { stranger in
            let phone = try await stranger.paired()
            let mine = UUID()
            phone.service.registry.record(mine, of: phone.id)
            for path in ["/api/exercises/squat/file", "/api/exercises/squat/figure"] {
                try expect(403, await phone.ask("GET", path))
            }
            try expect(200, await phone.ask("GET", "/api/exercises"))
            // Its own set is asked for in the history, where there is none.
            try expect(404, await phone.ask("GET", "/api/history/\(mine)"))
            try expect(403, await phone.ask("DELETE", "/api/history/\(mine)"))
            let entry = try await phone.owner(
                "PATCH", "/api/phones/\(phone.id)", body: #"{"name":"Bea's phone","history":true}"#)
            #expect(entry?.json["name"] as? String == "Bea's phone" && entry?.json["history"] as? Bool == true)
            for path in ["/api/history", "/api/people", "/history.html"] {
                try expect(200, await phone.ask("GET", path))
            }
            for (method, path) in [
                ("DELETE", "/api/history"), ("GET", "/api/history/archive"), ("PUT", "/api/history/\(mine)/note"),
            ] { try expect(403, await phone.ask(method, path)) }
            let socket = try await phone.socket()
            #expect(socket.handshake.status == 101)
            try expect(204, await phone.owner("DELETE", "/api/phones/\(phone.id)"))
            let frames = try await socket.frames()
            #expect(frames.last?.status == 4003)
            try expect(401, await phone.ask("GET", "/api/phone"))
            try expect(404, await phone.owner("DELETE", "/api/phones/\(phone.id)"))
        }
    }

    @Test func `the owner has two phones film one person`() async throws {
        try await PhoneUnderTest.run { stranger in
            var phones: [String] = []
            for name in ["front", "side", "third"] { phones.append(try await stranger.paired(name).id) }
            func join(_ one: Int, _ other: String) async throws -> RawAnswer? {
                try await stranger.owner("PATCH", "/api/phones/\(phones[one])", body: #"{"with":"\#(other)"}"#)
            }
            func pairs() -> [String?] {
                phones.map { stranger.service.registry.phone($0)?.partner }
            }
            #expect(try await join(0, phones[1])?.json["with"] as? String == phones[1])
            #expect(pairs() == [phones[1], phones[0], nil])
            // A phone has one partner.
            try expect(200, await join(2, phones[1]))
            #expect(pairs() == [nil, phones[2], phones[1]])
            for wrong in ["unknown", phones[2]] { try expect(400, await join(2, wrong)) }
            try expect(204, await stranger.owner("DELETE", "/api/phones/\(phones[1])"))
            #expect(pairs() == [nil, nil, nil])
            try expect(200, await join(0, phones[2]))
            try expect(200, await join(2, ""))
            #expect(pairs() == [nil, nil, nil])
        }
    }

    @Test func `a phone adds a film to its own set and replaces none`() async throws {
        try await PhoneUnderTest.run(history: true) { stranger in
            let phone = try await stranger.paired()
            let store = try #require(phone.studio.history)
            let (mine, other) = (UUID(), UUID())
            for id in [mine, other] {
                var session = StoredSession(
                    date: Date(timeIntervalSince1970: 1_000_000), mode: .count, source: "camera")
                session.id = id
                session.repetitions = [Sample.counted(start: 0.5, end: 1.5)]
                try await store.add(session)
            }
            phone.service.registry.record(mine, of: phone.id)
            let film = Data([0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8)) + Data(count: 3000)
            func send(_ id: UUID) async throws -> RawAnswer? {
                try await phone.ask("PUT", "/api/history/\(id)/video", ["Content-Type": "video/webm"], bytes: film)
            }
            try expect(403, await send(other))
            try expect(200, await send(mine))
            #expect(try await store.session(mine)?.video?.bytes == film.count)
            try expect(403, await send(mine))
            try expect(403, await phone.ask("DELETE", "/api/history/\(mine)/video"))
            try expect(200, await phone.ask("GET", "/api/history/\(mine)/video"))
        }
    }

    @Test func `the owner turns phones on and off, and shows a code`() async throws {
        try await PhoneUnderTest.run(phones: { $0.startsOn = false }) { phone in
            #expect(phone.service.listening == nil)
            let off = try await phone.owner("GET", "/api/phones")
            #expect(off?.json["on"] as? Bool == false && off?.json["addresses"] as? [String] == [])
            try expect(409, await phone.owner("POST", "/api/phones/pairing"))
            let on = try await phone.owner("POST", "/api/phones", body: #"{"on":true}"#)
            #expect(on?.json["on"] as? Bool == true && (on?.json["fingerprint"] as? String)?.count == 95)
            let made = try await phone.owner("POST", "/api/phones/pairing")
            expect(201, made)
            let image = try #require(made?.json["image"] as? String)
            let picture = try await phone.owner("GET", image)
            #expect(picture?["content-type"] == "image/svg+xml" && picture?.text.hasPrefix("<svg") == true)
            #expect(picture?["cache-control"] == "no-store")
            let place = image.replacing(".svg", with: "")
            #expect(try await phone.owner("GET", place)?.json["state"] as? String == "waiting")
            let token = try #require((made?.json["url"] as? String)?.suffix(32))
            try expect(200, await phone.ask("POST", "/api/pair", body: #"{"token":"\#(token)"}"#))
            #expect(try await phone.owner("GET", place)?.json["phone"] as? String == phone.id)
            try expect(404, await phone.owner("GET", image))
            let (open, port) = (try await phone.client(), phone.port)
            try expect(200, await phone.owner("POST", "/api/phones", body: #"{"on":false}"#))
            #expect(try await open.receive() == nil)
            await #expect(throws: (any Error).self) { try await RawClient(port) }
        }
    }
}
