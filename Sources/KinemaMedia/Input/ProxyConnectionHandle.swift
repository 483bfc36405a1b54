import CFFmpeg
import Foundation
import KinemaCore

/// Prepares a stream's connections: certificates, allowed machines, and the encryption FFmpeg lacks.
///
/// Over HTTP, FFmpeg checks the certificate and uses a `StreamProxy` if machines are restricted. For RTSP it checks
/// none, so an encrypted connection is opened and checked here and relayed through the loopback interface. A plain but
/// restricted connection gets the checked IP address.
final class ProxyConnectionHandle {
    /// FFmpeg's options for every HTTP connection.
    // SAFETY: made in `init`, freed in `deinit`, after the contexts that refer to it.
    private(set) var options: OpaquePointer?
    /// Ends the threads that relay the stream.
    private let lifetime: InterruptHandle
    private let allowed: Set<NetworkAddress>?
    /// The only connection of a decoder process; nil elsewhere.
    private let gate: GateClient?

    /// Prepares the connections to an address; in a decoder process all go through the gate.
    init(_ address: StreamAddress, gate: GateClient? = nil, cancellation: CancellationFlag) throws(KinemaError) {
        self.gate = gate
        lifetime = InterruptHandle(cancellation)
        if case .publicAddresses(let others) = address.reach { allowed = others } else { allowed = nil }
        switch address.trust {
        case .anyone: set("tls_verify", "0")
        case .authorities(let file):
            // FFmpeg's GnuTLS backend also checks the host name; not every backend does.
            guard !address.isEncrypted || String(cString: avformat_configuration()).contains("--enable-gnutls") else {
                throw KinemaError(
                    .unsupported,
                    "this FFmpeg cannot check the host of a certificate; install one with GnuTLS, or accept any "
                        + "certificate with --insecure", file: address.description)
            }
            set("tls_verify", "1")
            if let authorities = gate == nil ? TrustedAuthorities.file(file) : file { set("ca_file", authorities) }
        }
        if !address.isRTSP { set("protocol_whitelist", InputLimits.protocols(of: address)) }
        if let gate {
            if !address.isRTSP { set("http_proxy", "http://127.0.0.1:\(gate.port)") }
        } else if let allowed, !address.isRTSP || address.isEncrypted {
            let proxy = try StreamProxy(NetworkReach(allowing: allowed), lifetime)
            set("http_proxy", "http://127.0.0.1:\(proxy.port)")
        }
    }

    deinit {
        close()
        av_dict_free(&options)
    }

    /// Stops the relay; FFmpeg's own connections are closed by then.
    func close() { lifetime.stop() }

    private func set(_ name: String, _ value: String) { av_dict_set(&options, name, value, 0) }

    func rtspAddress(for address: StreamAddress, _ interrupt: InterruptHandle) throws(KinemaError) -> String {
        if let gate { return try gate.connect(address.address) }
        if address.isEncrypted { return try relay(address, interrupt) }
        guard let allowed else { return address.address }
        let reach = NetworkReach(allowing: allowed)
        guard let endpoint = reach.endpoints(of: address.hostName, port: address.port).allowed.first else {
            throw .notPublic(address)
        }
        return address.forwarded(to: endpoint.address.text, port: endpoint.port)
    }

    /// Opens an encrypted connection and relays it to the first client on a loopback port: FFmpeg.
    private func relay(_ address: StreamAddress, _ interrupt: InterruptHandle) throws(KinemaError) -> String {
        let server = try encrypted(address, interrupt)
        let (listener, port) = try TCPSocketHandle.listener(lifetime)
        Thread.start("kinema.relay") { if let client = listener.accept() { client.relay(to: server) } }
        return address.forwarded(to: "127.0.0.1", port: port)
    }

    /// Opens an encrypted connection and checks the certificate; with `keepsThis` the connection retains this object.
    func encrypted(
        _ address: StreamAddress, _ interrupt: InterruptHandle, keepsThis: Bool = false
    ) throws(KinemaError) -> any RelayEndpoint {
        lifetime.setTimeout(interrupt.remaining)
        var code: Int32 = 0
        guard let server = TLSConnection(address, options, lifetime, &code) else {
            if interrupt.hasTimedOut { throw .timedOut(address.description, LiveOptions().connectionTimeout) }
            throw refusesCertificate(of: address, code, interrupt)
                ? .untrusted(address.description) : .unreachable(address.description, code)
        }
        lifetime.setTimeout(nil)
        if keepsThis { server.owner = self }
        return server
    }

    /// Whether only the server's certificate prevents a connection; sends nothing over it.
    func refusesCertificate(of address: StreamAddress, _ code: Int32, _ interrupt: InterruptHandle) -> Bool {
        guard address.isEncrypted, address.trust != .anyone,
            kinema_stream_trouble(code) == KINEMA_TROUBLE_UNREACHABLE
        else { return false }
        var unchecked: OpaquePointer?
        defer { av_dict_free(&unchecked) }
        av_dict_copy(&unchecked, options, 0)
        av_dict_set(&unchecked, "tls_verify", "0", 0)
        lifetime.setTimeout(interrupt.remaining)
        defer { lifetime.setTimeout(nil) }
        var failure: Int32 = 0
        return TLSConnection(address, unchecked, lifetime, &failure) != nil
    }
}

/// A TLS connection through FFmpeg.
// SAFETY: unchecked because one thread reads and one writes, which GnuTLS and this use of AVIO allow: a bidirectional
// connection reads past the buffer it writes through. Closed in `deinit`, when both have finished.
private final class TLSConnection: RelayEndpoint, @unchecked Sendable {
    private var io: UnsafeMutablePointer<AVIOContext>?
    private let lifetime: InterruptHandle
    /// Retained, because its `deinit` would end the connection; set before another thread has it.
    var owner: ProxyConnectionHandle?

    /// Bytes read at a time: one TLS record (RFC 8446, 5.1).
    private static let readSize = 1 << 14

    /// Connects and checks the certificate as the options say; nil with FFmpeg's error code on failure.
    init?(_ address: StreamAddress, _ options: OpaquePointer?, _ lifetime: InterruptHandle, _ code: inout Int32) {
        self.lifetime = lifetime
        var copy: OpaquePointer?
        defer { av_dict_free(&copy) }
        av_dict_copy(&copy, options, 0)
        av_dict_set(&copy, "protocol_whitelist", "tls,tcp,httpproxy", 0)
        let name = address.hostName
        let url = "tls://\(name.contains(":") ? "[\(name)]" : name):\(address.port)"
        var callback = lifetime.callback
        code = avio_open2(&io, url, AVIO_FLAG_READ | AVIO_FLAG_WRITE, &callback, &copy)
        guard code == 0 else { return nil }
    }

    deinit { avio_closep(&io) }

    func read() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, count in
            // SAFETY: at most as many bytes are written as the buffer holds, and `count` is the number written.
            count = max(Int(avio_read_partial(io, buffer.baseAddress, Int32(buffer.count))), 0)
        }
        return bytes.isEmpty ? nil : bytes
    }

    func write(_ bytes: [UInt8]) -> Bool {
        avio_write(io, bytes, Int32(bytes.count))
        avio_flush(io)
        return io?.pointee.error == 0
    }

    /// The connection serves one stream, which has ended.
    func shutDown() { lifetime.stop() }
}
