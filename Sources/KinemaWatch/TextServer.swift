import KinemaHTTP
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A small HTTP server of texts such as metrics: one GET a connection, with the studio's limits and check of `Host`.
package struct TextServer: Sendable {
    package struct Answer: Sendable {
        package var status: Int
        package var mediaType: String
        package var text: String

        package init(status: Int = 200, mediaType: String = "text/plain; charset=utf-8", text: String) {
            (self.status, self.mediaType, self.text) = (status, mediaType, text)
        }
    }

    private let listener: HTTPListener
    private let access: AccessGuard
    private let answer: @Sendable (_ path: String) -> Answer?

    package var port: Int { listener.port }

    /// Listens, or throws; `answer` is nil for unknown paths, `names` are further accepted hosts, with or without a
    /// port.
    package init(
        host: String, port: Int, names: [String] = [], answer: @escaping @Sendable (_ path: String) -> Answer?
    ) async throws {
        var configuration = StudioConfiguration()
        (configuration.host, configuration.allowedHosts) = (host, names)
        listener = try await HTTPListener(host: host, port: port, setting: "listen:", limits: configuration.limits)
        access = AccessGuard(configuration, port: listener.port)
        self.answer = answer
    }

    package static func isName(_ text: String) -> Bool { Authority(text) != nil }

    /// Serves until the task is cancelled.
    package func run() async { await listener.run { connection in await serve(connection) } }

    private func serve(_ connection: HTTPConnection) async {
        await connection.serve {
            switch try await connection.next() {
            case .success(.head(let head))?:
                connection.markBusy()
                let request = StudioRequest(head, on: connection)
                let reply = answer(to: request, at: connection.localHost)
                try await send(reply, to: connection, hasBody: request.method != .HEAD)
            case .failure(let error)?: try await send(Self.refusal(error), to: connection)
            default: connection.abort()
            }
        }
    }

    private func answer(to request: StudioRequest, at host: String) -> Answer {
        do {
            try access.check(request, local: (host, port))
        } catch {
            return Self.refusal(HTTPError(error))
        }
        guard request.method == .GET || request.method == .HEAD else { return Answer(status: 405, text: "GET only\n") }
        return answer(String(request.path)) ?? Answer(status: 404, text: "only /metrics and /healthz exist\n")
    }

    private static func refusal(_ error: HTTPError) -> Answer {
        let text =
            error.status == .misdirectedRequest
            ? "this host name is not allowed; add it to hosts: in the file of cameras" : error.message
        return Answer(status: Int(error.status.code), text: text + "\n")
    }

    private func send(_ answer: Answer, to connection: HTTPConnection, hasBody: Bool = true) async throws {
        let body = ByteBuffer(string: answer.text)
        let fields: HTTPHeaders = [
            "Content-Type": answer.mediaType, "Content-Length": "\(body.readableBytes)", "Connection": "close",
            "X-Content-Type-Options": "nosniff",
        ]
        let status = HTTPResponseStatus(statusCode: answer.status)
        try await connection.send(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields)))
        if hasBody { try await connection.send(.body(.byteBuffer(body))) }
        try await connection.send(.end(nil))
        connection.finishResponse(closing: true)
    }
}

/// Notifies systemd that the service runs and is alive (sd_notify(3)); does nothing without systemd.
package struct ServiceManager: Sendable {
    private let socket: String?
    /// The interval between keep-alive notifications, a third of systemd's limit; nil without a limit.
    package let interval: Duration?

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let limit = environment["WATCHDOG_USEC"].flatMap(Int.init)
        interval = socket == nil ? nil : limit.map { .microseconds(max(1000, $0 / 3)) }
    }

    /// Sends a state such as READY=1; errors are ignored.
    package func notify(_ state: String) async {
        guard let socket else { return }
        do {
            let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: socket).get()
            let address = try SocketAddress(unixDomainSocketPath: socket)
            try? await channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: ByteBuffer(string: state)))
            try? await channel.close()
        } catch {}
    }
}
