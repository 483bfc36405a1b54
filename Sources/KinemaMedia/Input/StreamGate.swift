import Foundation
import KinemaCore
import Synchronization

/// Connects a decoder process to its stream through one loopback port, a proxy for HTTP or a relay for RTSP. Both reach
/// the stream's machine and, through redirects, public addresses, unless `reach` allows less.
final class StreamGate: Sendable {
    private let address: StreamAddress
    private let port: Int
    private let timeout: Duration
    private let cancellation: CancellationFlag
    private let lifetime: InterruptHandle
    /// The connection for the next client of the relay.
    private let server = Mutex<(any RelayEndpoint)?>(nil)
    /// The proxy of a stream over HTTP; nil for RTSP.
    private let proxy: StreamProxy?

    /// Opens the port; connects on request, each time within the timeout.
    init(_ address: StreamAddress, timeout: Duration, cancellation: CancellationFlag) throws(KinemaError) {
        (self.address, self.timeout, self.cancellation) = (address, timeout, cancellation)
        let lifetime = InterruptHandle(cancellation)
        self.lifetime = lifetime
        guard address.isRTSP else {
            let proxy = try StreamProxy(NetworkReach(of: address), lifetime)
            (self.proxy, port) = (proxy, proxy.port)
            return
        }
        let (listener, port) = try TCPSocketHandle.listener(lifetime)
        (self.port, proxy) = (port, nil)
        Thread.start("kinema.gate") { [weak self] in
            while let client = listener.accept() {
                guard let server = self?.server.withLock({ $0.take() }) else { continue }
                Thread.start("kinema.relay") { client.relay(to: server) }
            }
        }
    }

    deinit { lifetime.stop() }

    var request: StreamRequest {
        var request = StreamRequest(address: address.address, port: port)
        switch address.trust {
        case .anyone: request.trustsAnyone = true
        case .authorities(let file):
            request.authorities = address.isRTSP ? nil : TrustedAuthorities.file(file)
        }
        return request
    }

    /// Connects to an RTSP address for the next client of the port.
    func connect(to text: String) -> ConnectAnswer {
        do throws(KinemaError) {
            guard var target = try? StreamAddress(text), target.isRTSP else {
                throw .unreachable(address.description, 0)
            }
            (target.trust, target.reach) = (address.trust, address.reach)
            let connection = try connection(to: target)
            server.withLock { $0 = connection }
            return ConnectAnswer(address: target.forwarded(to: "127.0.0.1", port: port))
        } catch {
            return ConnectAnswer(failure: error)
        }
    }

    private func connection(to target: StreamAddress) throws(KinemaError) -> any RelayEndpoint {
        let interrupt = InterruptHandle(cancellation)
        interrupt.setTimeout(timeout)
        let reach = NetworkReach(of: address)
        if target.isEncrypted {
            guard !reach.endpoints(of: target.hostName, port: target.port).allowed.isEmpty else {
                throw .notPublic(target)
            }
            return try ProxyConnectionHandle(target, cancellation: cancellation).encrypted(
                target, interrupt, keepsThis: true)
        }
        switch reach.connect(to: target.hostName, port: target.port, interrupt) {
        case .success(let connection):
            // The limit was for connecting.
            interrupt.setTimeout(nil)
            return connection
        case .failure(.forbidden): throw .notPublic(target)
        case .failure(.unreachable(let code)):
            throw interrupt.hasTimedOut
                ? .timedOut(target.description, timeout) : .unreachable(target.description, code)
        }
    }

    /// Replaces a decoder's error if the connection itself failed, which the decoder cannot know.
    func explaining(_ error: KinemaError) -> KinemaError {
        let code = proxy?.outcome.load(ordering: .relaxed) ?? 0
        guard code != 0, error.code == .unreadableInput else { return error }
        return .unreachable(address.description, code)
    }
}

extension KinemaError {
    static func notPublic(_ address: StreamAddress) -> KinemaError {
        KinemaError.unreadable("is not a public address; give a stream on the Internet", address.description)
    }
}

/// A decoder process's access to its stream.
struct GateClient: Sendable {
    /// The port on the loopback interface that leads to the stream.
    var port: Int
    /// Requests a connection to an RTSP address; returns the address to open instead.
    var connect: @Sendable (String) throws(KinemaError) -> String
}

/// One side of a relay: bytes in order, in both directions.
protocol RelayEndpoint: AnyObject, Sendable {
    /// Waits for the next bytes; nil at the end.
    func read() -> [UInt8]?
    /// Sends all bytes; false when the other side no longer takes them.
    func write(_ bytes: [UInt8]) -> Bool
    /// Ends both directions, so that waiting threads continue.
    func shutDown()
}

extension RelayEndpoint {
    func relay(to other: some RelayEndpoint) {
        Thread.start("kinema.relay") { other.forward(to: self) }
        forward(to: other)
    }

    private func forward(to other: some RelayEndpoint) {
        while let bytes = read(), other.write(bytes) {}
        shutDown()
        other.shutDown()
    }
}
