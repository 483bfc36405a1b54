internal import Foundation

/// A TCP connection or a listener on the loopback interface; every wait ends soon after nobody waits any more.
// SAFETY: unchecked because one thread reads and one writes, which the system allows; the descriptor is closed in `deinit`.
final class TCPSocketHandle: ByteEnd, @unchecked Sendable {
    /// Where a name leads to.
    struct Endpoint {
        var address: NetworkAddress
        var port: Int
    }

    private let descriptor: Int32
    private let life: InterruptHandle

    /// How long a wait lasts before it is asked whether to go on, milliseconds.
    private static let pollInterval: Int32 = 50
    /// Bytes read at a time.
    private static let portion = 1 << 16

    private init(_ descriptor: Int32, _ life: InterruptHandle) {
        (self.descriptor, self.life) = (descriptor, life)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        Foundation.close(descriptor)
    }

    // MARK: Listening

    /// Listens on the loopback interface at any port that is free; nil when that is not to be had.
    static func listener(_ life: InterruptHandle) -> (socket: TCPSocketHandle, port: Int)? {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard made >= 0 else { return nil }
        let listener = TCPSocketHandle(made, life)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &place) { pointer in
            // SAFETY: every kind of address begins as `sockaddr` does, and the length is that of this kind.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(made, address, length) == 0 && listen(made, 8) == 0 ? getsockname(made, address, &length) : -1
            }
        }
        return code == 0 ? (listener, Int(UInt16(bigEndian: place.sin_port))) : nil
    }

    /// Waits for the next connection; nil when nobody waits any more.
    func accept() -> TCPSocketHandle? {
        while wait(for: POLLIN) {
            let made = Foundation.accept(descriptor, nil, nil)
            if made >= 0 { return TCPSocketHandle(made, life) }
        }
        return nil
    }

    // MARK: Connecting

    /// Looks a name up, once; empty when there is none such.
    static func resolve(_ name: String, port: Int) -> [Endpoint] {
        var wish = addrinfo()
        wish.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &wish, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var endpoints: [Endpoint] = []
        var next = found
        while let info = next?.pointee {
            next = info.ai_next
            guard let address = info.ai_addr else { continue }
            // SAFETY: the family says which kind of address it is, and `getaddrinfo` made it whole.
            switch info.ai_family {
            case AF_INET:
                let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { place in
                    withUnsafeBytes(of: place.pointee.sin_addr) { Array($0) }
                }
                endpoints.append(Endpoint(address: NetworkAddress(bytes), port: port))
            case AF_INET6:
                let bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { place in
                    withUnsafeBytes(of: place.pointee.sin6_addr) { Array($0) }
                }
                endpoints.append(Endpoint(address: NetworkAddress(bytes), port: port))
            default: continue
            }
        }
        return endpoints
    }

    /// Connects to exactly that machine; nil when it does not answer.
    static func connect(_ endpoint: Endpoint, _ life: InterruptHandle) -> TCPSocketHandle? {
        let bytes = endpoint.address.bytes
        let port = in_port_t(UInt16(truncatingIfNeeded: endpoint.port).bigEndian)
        let made = socket(bytes.count == 4 ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard made >= 0 else { return nil }
        let connection = TCPSocketHandle(made, life)
        if bytes.count == 4 {
            var place = sockaddr_in()
            (place.sin_family, place.sin_port) = (sa_family_t(AF_INET), port)
            withUnsafeMutableBytes(of: &place.sin_addr) { $0.copyBytes(from: bytes) }
            begin(made, &place)
        } else {
            var place = sockaddr_in6()
            (place.sin6_family, place.sin6_port) = (sa_family_t(AF_INET6), port)
            withUnsafeMutableBytes(of: &place.sin6_addr) { $0.copyBytes(from: bytes) }
            begin(made, &place)
        }
        var trouble: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard connection.wait(for: POLLOUT), getsockopt(made, SOL_SOCKET, SO_ERROR, &trouble, &length) == 0,
            trouble == 0
        else { return nil }
        return connection
    }

    private static func begin<Place>(_ descriptor: Int32, _ place: inout Place) {
        let length = socklen_t(MemoryLayout<Place>.size)
        withUnsafePointer(to: &place) { pointer in
            // SAFETY: every kind of address begins as `sockaddr` does, and the length is that of this kind.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = Foundation.connect(descriptor, $0, length) }
        }
    }

    // MARK: Bytes

    func read() -> [UInt8]? {
        while wait(for: POLLIN) {
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.portion) { buffer, count in
                // SAFETY: as many bytes are written as the buffer has room for, and as many count as were written.
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

    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func wait(for events: Int32) -> Bool {
        while !life.shouldStop {
            var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            if poll(&request, 1, Self.pollInterval) > 0 { return true }
        }
        return false
    }
}

/// One side of what is carried: bytes come and go, in order.
protocol ByteEnd: AnyObject, Sendable {
    /// Waits for the next bytes; nil at the end.
    func read() -> [UInt8]?
    /// Sends them all; false when nobody takes them any more.
    func write(_ bytes: [UInt8]) -> Bool
    /// Ends both directions, so that whoever waits goes on.
    func end()
}

extension ByteEnd {
    /// Carries bytes both ways until one side ends.
    func carry(to other: some ByteEnd) {
        let back = Thread { other.pour(into: self) }
        back.name = "kinema.carry"
        back.start()
        pour(into: other)
    }

    private func pour(into other: some ByteEnd) {
        while let bytes = read(), other.write(bytes) {}
        end()
        other.end()
    }
}
