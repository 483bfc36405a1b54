internal import Foundation
internal import KinemaCore

/// A proxy of this process alone, through which FFmpeg fetches a stream by HTTP: whatever a redirection or a playlist names
/// comes by here, is looked up once, and is connected to only if it is a machine that may be reached.
///
/// FFmpeg itself would follow a server to any address, and look a name up anew each time.
final class StreamGate: Sendable {
    /// The port on the loopback interface.
    let port: Int
    private let allowed: Set<NetworkAddress>
    private let life: InterruptHandle

    /// Bytes of a request's head: FFmpeg's longest address (MAX_URL_SIZE) twice over.
    private static let headBytes = 8_192

    /// Listens until `life` ends.
    init(allowing allowed: Set<NetworkAddress>, _ life: InterruptHandle) throws(KinemaError) {
        guard let (listener, port) = TCPSocketHandle.listener(life) else {
            throw KinemaError(.unsupported, "no port is free on this machine; close other programs")
        }
        (self.port, self.allowed, self.life) = (port, allowed, life)
        // Names listed there would go past the proxy, whoever's it is.
        unsetenv("no_proxy")
        let thread = Thread { [self] in
            while let client = listener.accept() {
                let thread = Thread { self.serve(client) }
                thread.name = "kinema.gate"
                thread.start()
            }
        }
        thread.name = "kinema.gate"
        thread.start()
    }

    /// Where a name leads to among the machines that may be reached; nil without one.
    static func endpoint(_ name: String, port: Int, allowing allowed: Set<NetworkAddress>) -> TCPSocketHandle.Endpoint?
    {
        TCPSocketHandle.resolve(name, port: port).first { $0.address.isPublic || allowed.contains($0.address) }
    }

    private func serve(_ client: TCPSocketHandle) {
        defer { client.end() }
        guard let (head, rest) = Self.head(of: client), let request = Request(head) else { return }
        guard let endpoint = Self.endpoint(request.host, port: request.port, allowing: allowed) else {
            _ = client.write(Self.answer("403 Forbidden"))
            return
        }
        guard let server = TCPSocketHandle.connect(endpoint, life) else {
            _ = client.write(Self.answer("502 Bad Gateway"))
            return
        }
        let isOpen =
            request.forwarded.map { server.write(Array($0.utf8) + rest) } ?? client.write(Self.answer("200 OK"))
        if isOpen { client.carry(to: server) }
    }

    private static func answer(_ status: String) -> [UInt8] { Array("HTTP/1.1 \(status)\r\n\r\n".utf8) }

    /// Reads up to the empty line behind the head; nil when it does not come.
    private static func head(of client: TCPSocketHandle) -> (head: String, rest: [UInt8])? {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while bytes.count <= headBytes, let more = client.read() {
            bytes += more
            if let place = bytes.firstRange(of: end) {
                return (String(decoding: bytes[..<place.lowerBound], as: UTF8.self), Array(bytes[place.upperBound...]))
            }
        }
        return nil
    }

    /// What FFmpeg asks a proxy for: to connect somewhere, for encrypted connections, or an address.
    struct Request {
        var host: String
        var port: Int
        /// The head as the server is to get it; nil where the connection is FFmpeg's own.
        var forwarded: String?

        /// Reads a head without its last empty line; nil for what FFmpeg never asks for.
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
