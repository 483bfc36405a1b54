internal import CFFmpeg
internal import Foundation
internal import KinemaCore

/// How a stream's connections are made: who is believed, where they may lead, and what FFmpeg cannot do itself.
///
/// Over HTTP, FFmpeg checks the server's certificate and goes through a `StreamGate` where one is needed. Of RTSP it checks
/// no certificate (before version 8 its RTSP takes no options for encryption at all), so an encrypted connection is made
/// here, checked before anything is sent, and lent to it through the loopback interface. A plain one that may not lead
/// anywhere is given to FFmpeg as the number that was looked at.
final class StreamLinkHandle {
    /// FFmpeg's options for every connection over HTTP.
    // SAFETY: made in `init`, freed in `deinit`, after the contexts that refer to it.
    private(set) var options: OpaquePointer?
    /// Ends the threads that carry the stream.
    private let life: InterruptHandle
    private let allowed: Set<NetworkAddress>?

    /// Where distributions keep the authorities that the system trusts: Debian, Fedora, openSUSE.
    private static let systemAuthorities = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    ]

    /// Prepares the connections to an address.
    init(_ address: StreamAddress, cancellation: CancellationFlag) throws(KinemaError) {
        life = InterruptHandle(cancellation)
        if case .publicAddresses(let others) = address.reach { allowed = others } else { allowed = nil }
        switch address.trust {
        case .anyone: set("tls_verify", "0")
        case .authorities(let file):
            // GnuTLS's part of FFmpeg compares the host's name as well; not every other does.
            guard !address.isEncrypted || String(cString: avformat_configuration()).contains("--enable-gnutls") else {
                throw KinemaError(
                    .unsupported,
                    "this FFmpeg does not tell whose certificate it is given; install one with GnuTLS, or take any "
                        + "certificate with --insecure", file: address.description)
            }
            set("tls_verify", "1")
            let named = file ?? ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
            let system = Self.systemAuthorities.first { FileManager.default.isReadableFile(atPath: $0) }
            if let authorities = named ?? system { set("ca_file", authorities) }
        }
        if !address.isRTSP { set("protocol_whitelist", InputLimits.protocols(of: address)) }
        if let allowed, !address.isRTSP || address.isEncrypted {
            set("http_proxy", "http://127.0.0.1:\(try StreamGate(allowing: allowed, life).port)")
        }
    }

    deinit {
        close()
        av_dict_free(&options)
    }

    /// Ends what carries the stream; FFmpeg's own connections are closed by then.
    func close() {
        life.halt()
    }

    private func set(_ name: String, _ value: String) {
        av_dict_set(&options, name, value, 0)
    }

    /// The address by which FFmpeg reaches a stream of RTSP.
    func place(of address: StreamAddress, _ watch: InterruptHandle) throws(KinemaError) -> String {
        if address.isEncrypted { return try carry(address, watch) }
        guard let allowed else { return address.address }
        guard let endpoint = StreamGate.endpoint(address.hostName, port: address.port, allowing: allowed) else {
            throw KinemaError(
                .unreadableInput, "is no public address; name a stream of the Internet", file: address.description)
        }
        return address.carried(to: endpoint.address.text, port: endpoint.port)
    }

    /// Makes an encrypted connection and lends it to the first who comes to a port of the loopback interface: FFmpeg.
    private func carry(_ address: StreamAddress, _ watch: InterruptHandle) throws(KinemaError) -> String {
        life.limit(watch.remaining)
        var code: Int32 = 0
        guard let server = EncryptedEnd(address, options, life, &code) else {
            if watch.isOverdue { throw .unanswered(address.description, LiveOptions().connectionTimeout) }
            throw refusesCertificate(of: address, code, watch)
                ? .untrusted(address.description) : .unreachable(address.description, code)
        }
        life.limit(nil)
        guard let (listener, port) = TCPSocketHandle.listener(life) else {
            throw KinemaError(.unsupported, "no port is free on this machine; close other programs")
        }
        let thread = Thread { if let client = listener.accept() { client.carry(to: server) } }
        thread.name = "kinema.carry"
        thread.start()
        return address.carried(to: "127.0.0.1", port: port)
    }

    /// Whether a connection failed because of the server's certificate: it can be made when nobody looks at that. Nothing is
    /// sent over it.
    func refusesCertificate(of address: StreamAddress, _ code: Int32, _ watch: InterruptHandle) -> Bool {
        guard address.isEncrypted, address.trust != .anyone,
            kinema_stream_trouble(code) == KINEMA_TROUBLE_UNREACHABLE
        else { return false }
        var unchecked: OpaquePointer?
        defer { av_dict_free(&unchecked) }
        av_dict_copy(&unchecked, options, 0)
        av_dict_set(&unchecked, "tls_verify", "0", 0)
        life.limit(watch.remaining)
        defer { life.limit(nil) }
        var failure: Int32 = 0
        return EncryptedEnd(address, unchecked, life, &failure) != nil
    }
}

/// An encrypted connection by FFmpeg's TLS.
// SAFETY: unchecked because one thread reads and one writes, which GnuTLS and this use of AVIO allow: a connection that
// is open in both directions reads past the buffer it writes through. Closed in `deinit`, when neither does any more.
private final class EncryptedEnd: ByteEnd, @unchecked Sendable {
    private var io: UnsafeMutablePointer<AVIOContext>?
    private let life: InterruptHandle

    /// Bytes read at a time: a record of TLS (RFC 8446, 5.1).
    private static let portion = 1 << 14

    /// Connects and looks at the certificate as the options say; nil with FFmpeg's number when that fails.
    init?(_ address: StreamAddress, _ options: OpaquePointer?, _ life: InterruptHandle, _ code: inout Int32) {
        self.life = life
        var options = EncryptedEnd.copy(options)
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "tls,tcp,httpproxy", 0)
        let name = address.hostName
        let place = "tls://\(name.contains(":") ? "[\(name)]" : name):\(address.port)"
        var callback = life.callback
        code = avio_open2(&io, place, AVIO_FLAG_READ | AVIO_FLAG_WRITE, &callback, &options)
        guard code == 0 else { return nil }
    }

    deinit {
        avio_closep(&io)
    }

    private static func copy(_ options: OpaquePointer?) -> OpaquePointer? {
        var copy: OpaquePointer?
        av_dict_copy(&copy, options, 0)
        return copy
    }

    func read() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.portion) { buffer, count in
            // SAFETY: as many bytes are written as the buffer has room for, and as many count as were written.
            count = max(Int(avio_read_partial(io, buffer.baseAddress, Int32(buffer.count))), 0)
        }
        return bytes.isEmpty ? nil : bytes
    }

    func write(_ bytes: [UInt8]) -> Bool {
        avio_write(io, bytes, Int32(bytes.count))
        avio_flush(io)
        return io?.pointee.error == 0
    }

    /// The connection serves one stream, which is over.
    func end() {
        life.halt()
    }
}
