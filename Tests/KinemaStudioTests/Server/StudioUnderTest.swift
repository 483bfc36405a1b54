@testable import KinemaHistory
import Foundation
import KinemaTestSupport
import Synchronization

@testable import KinemaHTTP
@testable import KinemaPhones
@testable import KinemaStudio

/// Gives every message back, and tells what became of its sockets.
struct EchoLive: LiveServing {
    func serve(_ socket: some LiveSocket, from client: LiveSender) async {
        do {
            for try await message in socket.messages { try await socket.send(message) }
        } catch {
            // The client has gone.
        }
    }
}

extension LiveServing {
    func status() -> LiveStatus { LiveStatus(cameras: [], inputs: ["clip"], exercises: [], classifiers: []) }
}

/// A studio that runs while a test does, with a page of three files in a folder of its own.
struct StudioUnderTest: Sendable {
    /// The clients of a test, which hang up at its end: the studio would give those of a socket seconds to answer its close.
    private final class Clients: Sendable {
        let all = Mutex<[RawClient]>([])

        func hangUp() async { for client in all.withLock({ $0 }) { await client.close() } }
    }

    let port: Int
    let folder: TemporaryFolder
    var history: HistoryStore?
    private let clients = Clients()

    init(port: Int, folder: TemporaryFolder, history: HistoryStore? = nil) {
        (self.port, self.folder, self.history) = (port, folder, history)
    }

    /// Where uploads are put.
    var uploads: URL { folder.file("uploads") }
    /// `Host` as a browser sends it.
    var host: String { "127.0.0.1:\(port)" }

    /// The cookie of this studio, which other ports have others of.
    var cookieName: String { "kinema-token-\(port)" }

    static let index = "<!doctype html><title>page</title>"

    /// Runs a studio around the test; cancels it at the end and waits for it.
    static func run(
        live: any LiveServing = EchoLive(), configure: (inout StudioConfiguration) throws -> Void = { _ in },
        history: Bool = false, store given: HistoryStore? = nil, classifiers: ClassifierLibrary? = nil,
        exercises: ExerciseShelf = ExerciseShelf(),
        disk: (@Sendable (URL) throws -> FileHandle)? = nil, phones: PhoneService? = nil,
        _ test: @Sendable (StudioUnderTest) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try makePage(folder)
        var configuration = StudioConfiguration()
        configuration.port = 0
        configuration.page = folder.file("page")
        try configure(&configuration)
        let limits = configuration.limits
        let store =
            disk.map { UploadStore(limits: limits, in: folder.file("uploads"), open: $0) }
            ?? UploadStore(limits: limits, in: folder.file("uploads"))
        let kept = history ? try HistoryStore(folder.file("history.sqlite")) : given
        let services = StudioServices(
            live: live, uploads: store, history: kept, classifiers: classifiers, exercises: exercises,
            phones: phones)
        let server = try StudioServer(configuration, services: services)
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { told.finish() }
                try await server.run { told.yield($0) }
            }
            for await port in ports {
                let studio = StudioUnderTest(port: port, folder: folder, history: kept)
                try await test(studio)
                await studio.clients.hangUp()
                break
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private static func makePage(_ folder: TemporaryFolder) throws {
        try FileManager.default.createDirectory(at: folder.file("uploads"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: folder.file("page/parts"), withIntermediateDirectories: true)
        try Data(index.utf8).write(to: folder.file("page/index.html"))
        try Data("export {}".utf8).write(to: folder.file("page/parts/app.js"))
        for name in ["phone", "room", "now", "review", "history"] {
            try Data("<!doctype html><title>\(name)</title>".utf8).write(to: folder.file("page/\(name).html"))
        }
        try Data("hidden".utf8).write(to: folder.file("page/.hidden"))
        try Data("outside".utf8).write(to: folder.file("secret.txt"))
        try FileManager.default.createSymbolicLink(
            at: folder.file("page/link.txt"), withDestinationURL: folder.file("secret.txt"))
    }

    /// A client of this studio.
    func client() async throws -> RawClient {
        let client = try await RawClient(port)
        clients.all.withLock { $0.append(client) }
        return client
    }

    /// One request on a connection of its own; nil when the server closed without an answer.
    func ask(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: String = "",
        bytes: [UInt8] = []
    ) async throws -> RawAnswer? {
        let client = try await client()
        defer { Task { await client.close() } }
        // A server that refuses a long body may close before all of it is sent; its answer has come all the same.
        client.offer(Array((request(method, target, fields) + body).utf8) + bytes)
        return try await client.answer(hasBody: method != "HEAD")
    }

    /// A request's head; `Host` is added where it is not given.
    func request(_ method: String, _ target: String, _ fields: [String: String] = [:]) -> String {
        var fields = fields
        if fields["Host"] == nil { fields["Host"] = host }
        return "\(method) \(target) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.sorted().joined() + "\r\n"
    }

    /// What lies among the uploads now.
    func uploadedFiles() -> [String] {
        (FileManager.default.subpaths(atPath: uploads.path) ?? []).filter { $0.hasSuffix("/video") }
    }
}
