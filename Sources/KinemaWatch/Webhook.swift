import Foundation
package import KinemaCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An HTTP address that takes lines of results, several in one POST.
package struct Webhook: LineReceiver {
    package struct Address: Sendable, Hashable {
        let host: String
        let port: Int
        let target: String
        /// Whether TLS is used, and the receiver's certificate checked.
        let isSecure: Bool

        /// Parses an address; throws `invalidArgument` unless it begins with http:// or https:// and names a host.
        package init(_ text: String) throws(KinemaError) {
            func broken(_ what: String) -> KinemaError { KinemaError(.invalidArgument, "webhook \(what)") }
            isSecure = text.hasPrefix("https://")
            guard isSecure || text.hasPrefix("http://"), text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
                throw broken("must be an address such as https://example.org/kinema")
            }
            let rest = text.dropFirst(isSecure ? 8 : 7)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            guard !authority.contains("@") else { throw broken("must not have a user or password in the address") }
            let path = rest.dropFirst(authority.count)
            target = path.hasPrefix("/") ? String(path) : "/" + path
            let end =
                authority.hasPrefix("[")
                ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
            let host = authority[..<(end ?? authority.endIndex)].filter { $0 != "[" && $0 != "]" }
            let number = end.map { authority[$0...].dropFirst() } ?? ""
            guard !host.isEmpty, let port = number.isEmpty ? (isSecure ? 443 : 80) : Int(number),
                (1...65535).contains(port)
            else {
                throw broken("has no host or an invalid port")
            }
            (self.host, self.port) = (host, port)
        }

        /// The host and port as a request names them.
        var authority: String {
            let name = host.contains(":") ? "[\(host)]" : host
            return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
        }
    }

    package let name = "webhook"
    private let address: Address

    /// A POST without an answer for longer has failed.
    private static let timeout = Duration.seconds(10)

    package init(_ address: Address) { self.address = address }

    package func send(_ lines: [WaitingLine]) async -> (taken: Int, failure: String?) {
        guard !lines.isEmpty else { return (0, nil) }
        do {
            let status = try await post(lines.flatMap(\.text))
            return (200..<300).contains(status) ? (lines.count, nil) : (0, "answered \(status)")
        } catch {
            return (0, Self.reason(error))
        }
    }

    /// The reason without the address, in the words of a broker's failure.
    private static func reason(_ error: any Error) -> String {
        if let reason = tlsReason(error) { return reason }
        let attempts = (error as? NIOConnectionError)?.connectionErrors
        if attempts?.isEmpty == true { return "unknown host name" }
        if let error = error as? KinemaError { return error.message }
        let cause = attempts?.first?.error ?? error
        return (cause as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "no answer arrived"
    }

    /// The reason of a failed handshake, which never reaches the request; nil for other errors.
    private static func tlsReason(_ error: any Error) -> String? {
        switch error {
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "its certificate is for another name"
        case NIOSSLError.handshakeFailed(let cause):
            "\(cause)".contains("CERTIFICATE_VERIFY_FAILED")
                ? "its certificate is not signed by a trusted authority, or has expired"
                : "no TLS connection could be made"
        case is NIOSSLError, is BoringSSLError: "no TLS connection could be made"
        default: nil
        }
    }

    package func end() async {}

    /// TLS with the authorities of the system, or of the file in `SSL_CERT_FILE`; made once, since reading them takes long.
    private static let tls: Result<NIOSSLContext, any Error> = Result {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"], !file.isEmpty {
            configuration.trustRoots = .file(file)
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private static func secure(_ channel: any Channel, to host: String) throws {
        let context: NIOSSLContext
        do { context = try tls.get() } catch {
            throw KinemaError(.unreadableInput, "the trusted certificates cannot be read; check SSL_CERT_FILE")
        }
        // An address is compared with those in the certificate; only names are sent.
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        try channel.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host))
    }

    private func post(_ body: [UInt8]) async throws -> Int {
        typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(5))
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if address.isSecure { try Self.secure(channel, to: address.host) }
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        let clock = Task {
            try await Task.sleep(for: Self.timeout)
            connection.channel.close(promise: nil)
        }
        defer { clock.cancel() }
        return try await connection.executeThenClose { responses, requests in
            let fields: HTTPHeaders = [
                "Host": address.authority, "Content-Type": "application/x-ndjson", "Content-Length": "\(body.count)",
                "Connection": "close",
            ]
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: address.target, headers: fields)
            var failure: (any Error)?
            do {
                try await requests.write(
                    contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)])
            } catch {
                // A server that has all of the body may answer and close before the end is written: its answer counts.
                failure = error
            }
            for try await part in responses {
                if case .head(let head) = part { return Int(head.status.code) }
            }
            throw failure ?? KinemaError(.unreadableInput, "no answer arrived")
        }
    }
}

/// A destination of results besides files.
package protocol LineReceiver: Sendable {
    var name: String { get }

    /// Sends lines in order; returns the number taken and the error, if any. Without lines it checks the connection.
    func send(_ lines: [WaitingLine]) async -> (taken: Int, failure: String?)

    /// Ends the connection, if one is kept.
    func end() async
}
