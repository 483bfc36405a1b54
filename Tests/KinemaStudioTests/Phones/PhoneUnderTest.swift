@testable import KinemaHistory
import Foundation
import KinemaTestSupport
import NIOSSL
import Testing

@testable import KinemaHTTP
@testable import KinemaPhones
@testable import KinemaStudio

/// A phone in front of a studio that admits phones, over TLS on the loopback interface.
struct PhoneUnderTest: Sendable {
    let studio: StudioUnderTest
    let service: PhoneService
    var cookie: String?

    var port: Int { service.listening?.port ?? 0 }

    static func configuration(_ folder: TemporaryFolder) -> PhoneService.Configuration {
        var configuration = PhoneService.Configuration(folder: folder.file("phones"))
        (configuration.host, configuration.port, configuration.startsOn) = ("127.0.0.1", 0, true)
        configuration.network = { LocalNetwork(addresses: ["127.0.0.1"], names: ["studio.test"]) }
        return configuration
    }

    /// Runs a studio that admits phones around the test.
    static func run(
        live: any LiveServing = EchoLive(), history: Bool = false, store: HistoryStore? = nil,
        most: Int = 4, studio configure: (inout StudioConfiguration) throws -> Void = { _ in },
        phones change: (inout PhoneService.Configuration) -> Void = { _ in },
        _ test: @Sendable (PhoneUnderTest) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = configuration(folder)
        change(&configuration)
        let service = try PhoneService(configuration, room: Room(mostPhones: most))
        try await StudioUnderTest.run(live: live, configure: configure, history: history, store: store, phones: service)
        {
            try await test(PhoneUnderTest(studio: $0, service: service))
        }
    }

    static func tls(_ change: (inout TLSConfiguration) -> Void = { _ in }) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        change(&configuration)
        return try NIOSSLContext(configuration: configuration)
    }

    func client() async throws -> RawClient { try await RawClient(port, tls: try Self.tls()) }

    /// The request's head, with this phone's cookie.
    func request(_ method: String, _ target: String, _ fields: [String: String] = [:]) -> String {
        var fields = fields
        if fields["Host"] == nil { fields["Host"] = "127.0.0.1:\(port)" }
        if let cookie, fields["Cookie"] == nil { fields["Cookie"] = cookie }
        return studio.request(method, target, fields)
    }

    func ask(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: String = "", bytes: Data = Data()
    ) async throws -> RawAnswer? {
        let client = try await client()
        defer { Task { await client.close() } }
        var fields = fields
        let content = Array(body.utf8) + bytes
        if !content.isEmpty || method == "POST" {
            fields["Content-Length"] = fields["Content-Length"] ?? "\(content.count)"
        }
        client.offer(Array(request(method, target, fields).utf8) + content)
        return try await client.answer(hasBody: method != "HEAD")
    }

    /// The owner's request, on the listener of this machine.
    func owner(_ method: String, _ target: String, body: String = "") async throws -> RawAnswer? {
        try await studio.ask(
            method, target, body.isEmpty ? [:] : ["Content-Length": "\(body.utf8.count)"], body: body)
    }

    /// The phone with its cookie, after using an invitation.
    func paired(_ name: String = "Anna's phone") async throws -> PhoneUnderTest {
        let token = try #require(service.invite()?.urls.first?.components(separatedBy: "#pair=").last)
        let answer = try await ask("POST", "/api/pair", body: #"{"token":"\#(token)","name":"\#(name)"}"#)
        expect(200, answer)
        var phone = self
        phone.cookie = try #require(answer?["set-cookie"]?.split(separator: ";").first.map(String.init))
        return phone
    }

    /// The id of the phone that was paired last.
    var id: String { service.registry.all.last?.id ?? "" }

    /// Opens the live socket, to resume with a key.
    func socket(key: String? = nil) async throws -> RawSocket {
        var fields = ["Host": "127.0.0.1:\(port)"]
        fields["Cookie"] = cookie ?? "none=1"
        return try await RawSocket.open(studio, fields, on: client(), path: "/live" + (key.map { "?key=\($0)" } ?? ""))
    }
}

extension RawAnswer {
    /// The body as a JSON object.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:]
    }

    /// The messages of an answer in place of a socket's.
    var messages: [[String: Any]] { json["messages"] as? [[String: Any]] ?? [] }
}
