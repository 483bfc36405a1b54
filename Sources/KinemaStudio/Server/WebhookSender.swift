package import KinemaCore
import NIOCore
import NIOHTTP1
import NIOPosix

/// Where results are sent: an address of HTTP.
package struct WebhookAddress: Sendable, Hashable {
    let host: String
    let port: Int
    /// With the query.
    let target: String

    /// Parses an address; throws `invalidArgument` unless it begins with http:// and names a host.
    package init(_ text: String) throws(KinemaError) {
        func broken(_ what: String) -> KinemaError { KinemaError(.invalidArgument, "webhook \(what)") }
        guard !text.hasPrefix("https://") else {
            throw broken("is https; send to a proxy of this machine by http:// and let it speak to the world")
        }
        guard text.hasPrefix("http://"), text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw broken("takes an address such as http://127.0.0.1:8000/kinema")
        }
        let rest = text.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw broken("takes no user or password in the address") }
        let path = rest.dropFirst(authority.count)
        target = path.hasPrefix("/") ? String(path) : "/" + path
        let end =
            authority.hasPrefix("[")
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
        let host = authority[..<(end ?? authority.endIndex)].filter { $0 != "[" && $0 != "]" }
        let number = end.map { authority[$0...].dropFirst() } ?? ""
        guard !host.isEmpty, let port = number.isEmpty ? 80 : Int(number), (1...65535).contains(port) else {
            throw broken("names no host, or a port that is none")
        }
        (self.host, self.port) = (host, port)
    }
}

/// Sends lines to a webhook, in the order they came, several in one POST.
package struct WebhookSender: Sendable {
    private let address: WebhookAddress

    /// A receiver that takes longer has failed.
    private static let patience = Duration.seconds(10)

    package init(_ address: WebhookAddress) { self.address = address }

    /// Posts a body as lines of JSON; returns why that failed, or nil.
    package func post(_ body: [UInt8]) async -> String? {
        do {
            let status = try await exchange(body)
            return (200..<300).contains(status) ? nil : "answered \(status)"
        } catch {
            return "\(error)"
        }
    }

    private func exchange(_ body: [UInt8]) async throws -> Int {
        typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(5))
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        let clock = Task {
            try await Task.sleep(for: Self.patience)
            connection.channel.close(promise: nil)
        }
        defer { clock.cancel() }
        return try await connection.executeThenClose { responses, requests in
            var fields = HTTPHeaders()
            fields.add(name: "Host", value: address.port == 80 ? address.host : "\(address.host):\(address.port)")
            fields.add(name: "Content-Type", value: "application/x-ndjson")
            fields.add(name: "Content-Length", value: "\(body.count)")
            fields.add(name: "Connection", value: "close")
            try await requests.write(
                .head(HTTPRequestHead(version: .http1_1, method: .POST, uri: address.target, headers: fields)))
            try await requests.write(.body(.byteBuffer(ByteBuffer(bytes: body))))
            try await requests.write(.end(nil))
            for try await part in responses {
                if case .head(let head) = part { return Int(head.status.code) }
            }
            throw KinemaError(.unreadableInput, "no answer came")
        }
    }
}
