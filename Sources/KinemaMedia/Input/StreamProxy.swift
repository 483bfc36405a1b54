import Foundation
import KinemaCore
import Synchronization

/// A proxy inside this process through which FFmpeg fetches HTTP streams.
///
/// It resolves each name once and connects only to allowed machines. FFmpeg alone would follow any redirect.
final class StreamProxy: Sendable {
    let port: Int
    /// FFmpeg's error code of the last connection; 0 if it succeeded.
    let outcome = Atomic<Int32>(0)
    private let reach: NetworkReach
    private let lifetime: InterruptHandle

    /// The size limit of a request's head: twice FFmpeg's longest address (MAX_URL_SIZE).
    private static let headBytes = 8_192

    /// Listens until `lifetime` ends.
    init(_ reach: NetworkReach, _ lifetime: InterruptHandle) throws(KinemaError) {
        let (listener, port) = try TCPSocketHandle.listener(lifetime)
        (self.port, self.reach, self.lifetime) = (port, reach, lifetime)
        // Hosts listed in this variable would bypass any proxy.
        unsetenv("no_proxy")
        Thread.start("kinema.proxy") { [self] in
            while let client = listener.accept() {
                Thread.start("kinema.proxy") { self.serve(client) }
            }
        }
    }

    private func serve(_ client: TCPSocketHandle) {
        defer { client.shutDown() }
        guard let (head, rest) = Self.head(of: client), let request = Request(head) else { return }
        let server: TCPSocketHandle
        switch reach.connect(to: request.host, port: request.port, lifetime) {
        case .success(let connection):
            outcome.store(0, ordering: .relaxed)
            server = connection
        case .failure(.forbidden):
            _ = client.write(Self.answer("403 Forbidden"))
            return
        case .failure(.unreachable(let code)):
            outcome.store(code, ordering: .relaxed)
            _ = client.write(Self.answer("502 Bad Gateway"))
            return
        }
        let isOpen =
            request.forwarded.map { server.write(Array($0.utf8) + rest) } ?? client.write(Self.answer("200 OK"))
        if isOpen { client.relay(to: server) }
    }

    private static func answer(_ status: String) -> [UInt8] { Array("HTTP/1.1 \(status)\r\n\r\n".utf8) }

    /// Reads the request's head up to its empty line; nil if it never arrives.
    private static func head(of client: TCPSocketHandle) -> (head: String, rest: [UInt8])? {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while bytes.count <= headBytes, let more = client.read() {
            bytes += more
            if let range = bytes.firstRange(of: end) {
                return (String(decoding: bytes[..<range.lowerBound], as: UTF8.self), Array(bytes[range.upperBound...]))
            }
        }
        return nil
    }

    /// A request from FFmpeg: a tunnel for an encrypted connection, or a plain address.
    struct Request {
        var host: String
        var port: Int
        /// The head to send to the server; nil for a tunnel.
        var forwarded: String?

        /// Parses a head without its final empty line; nil for anything FFmpeg never sends.
        init?(_ head: String) {
            let lines = head.components(separatedBy: "\r\n")
            let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
            let isTunnel = words[0] == "CONNECT"
            guard let address = try? StreamAddress(isTunnel ? "https://\(words[1])" : String(words[1])) else {
                return nil
            }
            (host, port) = (address.hostName, address.port)
            if isTunnel { return }
            guard address.scheme == "http" else { return nil }
            let fields = lines.dropFirst().filter { !$0.lowercased().hasPrefix("proxy-") }
            forwarded =
                (["\(words[0]) \(address.pathAndQuery) \(words[2])"] + fields + ["", ""]).joined(separator: "\r\n")
        }
    }
}
