import Foundation
import KinemaCore

/// A TCP connection, or a listener on the loopback interface; its waits end soon after they are interrupted.
// SAFETY: unchecked because one thread reads and one writes, which the system allows. Closed in `deinit`.
final class TCPSocketHandle: RelayEndpoint, @unchecked Sendable {
    struct Endpoint {
        var address: NetworkAddress
        var port: Int
    }

    private let descriptor: Int32
    private let lifetime: InterruptHandle

    /// The interval of interruption checks, in milliseconds.
    private static let pollInterval: Int32 = 50
    /// Bytes read at a time.
    private static let readSize = 1 << 16

    private init(_ descriptor: Int32, _ lifetime: InterruptHandle) {
        (self.descriptor, self.lifetime) = (descriptor, lifetime)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { Foundation.close(descriptor) }

    // MARK: Listening

    /// Listens on any free port of the loopback interface; throws `unsupported` if there is none.
    static func listener(_ lifetime: InterruptHandle) throws(KinemaError) -> (socket: TCPSocketHandle, port: Int) {
        let noPort = KinemaError(.unsupported, "no port is free on this machine; close other programs")
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw noPort }
        let listener = TCPSocketHandle(descriptor, lifetime)
        var loopback = sockaddr_in()
        loopback.sin_family = sa_family_t(AF_INET)
        loopback.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &loopback) { pointer in
            // SAFETY: every socket address begins as `sockaddr` does, and the length matches its kind.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard code == 0 else { throw noPort }
        return (listener, Int(UInt16(bigEndian: loopback.sin_port)))
    }

    func accept() -> TCPSocketHandle? {
        while wait(for: POLLIN) {
            let accepted = Foundation.accept(descriptor, nil, nil)
            if accepted >= 0 { return TCPSocketHandle(accepted, lifetime) }
        }
        return nil
    }

    // MARK: Connecting

    /// Resolves a name once; empty if it is unknown.
    static func resolve(_ name: String, port: Int) -> [Endpoint] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var endpoints: [Endpoint] = []
        var next = found
        while let info = next?.pointee {
            next = info.ai_next
            guard let address = info.ai_addr else { continue }
            let bytes: [UInt8]
            // SAFETY: the family identifies the kind of address, and `getaddrinfo` filled it completely.
            switch info.ai_family {
            case AF_INET:
                bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                    withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
                }
            case AF_INET6:
                bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                    withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
                }
            default: continue
            }
            endpoints.append(Endpoint(address: NetworkAddress(bytes), port: port))
        }
        return endpoints
    }

    /// Connects to exactly this endpoint; nil if it does not answer, with FFmpeg's error code.
    static func connect(_ endpoint: Endpoint, _ lifetime: InterruptHandle, _ code: inout Int32) -> TCPSocketHandle? {
        code = -ETIMEDOUT
        let bytes = endpoint.address.bytes
        let port = in_port_t(UInt16(truncatingIfNeeded: endpoint.port).bigEndian)
        let descriptor = socket(bytes.count == 4 ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let connection = TCPSocketHandle(descriptor, lifetime)
        if bytes.count == 4 {
            var address = sockaddr_in()
            (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port)
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
            startConnecting(descriptor, &address)
        } else {
            var address = sockaddr_in6()
            (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), port)
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
            startConnecting(descriptor, &address)
        }
        var socketError: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard connection.wait(for: POLLOUT), getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &socketError, &length) == 0,
            socketError == 0
        else {
            if socketError != 0 { code = -socketError }
            return nil
        }
        return connection
    }

    private static func startConnecting<Address>(_ descriptor: Int32, _ address: inout Address) {
        let length = socklen_t(MemoryLayout<Address>.size)
        withUnsafePointer(to: &address) { pointer in
            // SAFETY: every socket address begins as `sockaddr` does, and the length matches its kind.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = Foundation.connect(descriptor, $0, length) }
        }
    }

    // MARK: Bytes

    func read() -> [UInt8]? {
        while wait(for: POLLIN) {
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, count in
                // SAFETY: at most as many bytes are written as the buffer holds, and `count` is the number written.
                count = max(recv(descriptor, buffer.baseAddress, buffer.count, 0), 0)
            }
            if !bytes.isEmpty { return bytes }
            if errno != EAGAIN && errno != EINTR { return nil }
        }
        return nil
    }

    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard wait(for: POLLOUT) else { return false }
            let count = bytes.withUnsafeBytes { buffer in
                // SAFETY: `sent` is below the buffer's length.
                buffer.baseAddress.map { send(descriptor, $0 + sent, buffer.count - sent, Int32(MSG_NOSIGNAL)) }
            }
            guard let count, count > 0 || errno == EAGAIN || errno == EINTR else { return false }
            sent += max(count, 0)
        }
        return true
    }

    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func wait(for events: Int32) -> Bool {
        while !lifetime.shouldStop {
            var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            if poll(&request, 1, Self.pollInterval) > 0 { return true }
        }
        return false
    }
}
