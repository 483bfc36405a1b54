import Foundation
import KinemaCore
import Synchronization

/// How a decoder process reaches its stream.
struct GateClient: Sendable {
    /// The port on the loopback interface that leads to the stream.
    var port: Int
    /// Asks for a connection to an RTSP address; returns what to open instead.
    var connect: @Sendable (String) throws(KinemaError) -> String
}

/// The way to one stream for a decoder process that reaches nothing but one port on the loopback interface.
///
/// Behind the port is a proxy for HTTP, or a relay for RTSP. Both lead to the stream's own machine and, by redirects and
/// playlists, to public addresses; `reach` may say less.
final class StreamGate: Sendable {
    private let address: StreamAddress
    private let port: Int
    private let timeout: Duration
    private let cancellation: CancellationFlag
    private let lifetime: InterruptHandle
    /// What the next client of the relay is connected with.
    private let server = Mutex<(any RelayEndpoint)?>(nil)
    /// Why the last connection failed: FFmpeg's error code; 0 when it did not.
    private let failure: FailureCode

    /// Shared with the proxy's threads.
    private final class FailureCode: Sendable {
        let code = Atomic<Int32>(0)
    }

    /// Opens the port; connections are made when they are asked for, each within the timeout.
    init(_ address: StreamAddress, timeout: Duration, cancellation: CancellationFlag) throws(KinemaError) {
        (self.address, self.timeout, self.cancellation) = (address, timeout, cancellation)
        let (failure, lifetime) = (FailureCode(), InterruptHandle(cancellation))
        (self.failure, self.lifetime) = (failure, lifetime)
        guard address.isRTSP else {
            let proxy = try StreamProxy(NetworkReach(of: address), lifetime) {
                failure.code.store($0, ordering: .relaxed)
            }
            port = proxy.port
            return
        }
        guard let (listener, port) = TCPSocketHandle.listener(lifetime) else {
            throw KinemaError(.unsupported, "no port is free on this machine; close other programs")
        }
        self.port = port
        let thread = Thread { [weak self] in
            while let client = listener.accept() {
                guard let server = self?.takeServer() else { continue }
                let relay = Thread { client.relay(to: server) }
                relay.name = "kinema.relay"
                relay.start()
            }
        }
        thread.name = "kinema.gate"
        thread.start()
    }

    deinit {
        lifetime.stop()
    }

    /// What the decoder process is told.
    var request: StreamRequest {
        var request = StreamRequest(address: address.address, port: port)
        switch address.trust {
        case .anyone: request.trustsAnyone = true
        case .authorities(let file):
            request.authorities = address.isRTSP ? nil : TrustedAuthorities.file(file)
        }
        return request
    }

    private func takeServer() -> (any RelayEndpoint)? {
        server.withLock { server in
            defer { server = nil }
            return server
        }
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
            return ConnectAnswer(failure: FailureMessage(error))
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

    /// What a decoder process could not know: that the connection itself failed.
    func explaining(_ error: KinemaError) -> KinemaError {
        let code = failure.code.load(ordering: .relaxed)
        guard code != 0, error.code == .unreadableInput else { return error }
        return .unreachable(address.description, code)
    }
}

extension KinemaError {
    /// An address that may not be reached from here.
    static func notPublic(_ address: StreamAddress) -> KinemaError {
        KinemaError(
            .unreadableInput, "is not a public address; give a stream on the Internet", file: address.description)
    }
}
