import CMosquitto
import Foundation
import KinemaMedia

/// A connection to an MQTT 3.1.1 broker by libmosquitto, for one thread at a time.
final class MosquittoHandle {
    /// The reason that the broker is unreachable or refuses a message, without the address.
    struct Failure: Error {
        var reason: String
    }

    private let address: MQTTAddress
    // SAFETY: made in `init`, freed in `deinit`; its callbacks run inside `mosquitto_loop`, while `self` lives.
    private let client: OpaquePointer
    /// The broker's answer to CONNECT; 0 accepts.
    private var answer: Int32?
    /// The messages that the broker has taken, by number.
    private var taken: Set<Int32> = []
    /// What the library logs of each message to this client begins with this.
    private let received: String
    private var hasReceived = false

    /// A broker that does not answer for longer has failed.
    private static let timeout = Duration.seconds(10)
    /// Seconds without a message before a ping; after one and a half times that the broker publishes the will.
    private static let keepAlive: Int32 = 30
    private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    /// Connects and logs in; the broker publishes `last` to the topic `will` when the connection breaks off.
    init(_ address: MQTTAddress, will: String, last: String) throws(Failure) {
        // Brokers must accept names of 23 bytes (MQTT 3.1.1, 3.1.3.1), each of one client.
        let name = "kinema-" + String(UInt64.random(in: .min ... .max), radix: 36)
        guard Self.isReady, let client = mosquitto_new(name, true, nil) else {
            throw Failure(reason: "libmosquitto cannot be used")
        }
        (self.address, self.client, received) = (address, client, "Client \(name) received PUBLISH")
        // Send each line at once, without waiting for the acknowledgement of the one before.
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_callback_set(client) { MosquittoHandle.of($1)?.answer = $2 }
        mosquitto_publish_callback_set(client) { MosquittoHandle.of($1)?.taken.insert($2) }
        mosquitto_log_callback_set(client) { MosquittoHandle.of($1)?.refuseMessage($3) }
        try check(mosquitto_will_set(client, will, Int32(last.utf8.count), last, 1, true))
        if let user = address.user { try check(mosquitto_username_pw_set(client, user, address.password)) }
        if address.isEncrypted { try encrypt() }
        try check(mosquitto_connect(client, address.host, Int32(address.port), Self.keepAlive))
        try wait { $0.answer != nil }
        guard answer == 0 else { throw refusal }
    }

    deinit { mosquitto_destroy(client) }

    private static func of(_ object: UnsafeMutableRawPointer?) -> MosquittoHandle? {
        // SAFETY: the pointer is that of `init`.
        object.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Cuts the connection at a message to this client, which subscribes to nothing: the library keeps messages of
    /// quality of service 2 without limit, and calls back only when the broker releases them.
    private func refuseMessage(_ line: UnsafePointer<CChar>?) {
        guard let line, strncmp(line, received, received.utf8.count) == 0 else { return }
        hasReceived = true
        shutdown(mosquitto_socket(client), Int32(SHUT_RDWR))
    }

    /// Requires a certificate for the host by a trusted authority.
    private func encrypt() throws(Failure) {
        if let authorities = TrustedAuthorities.file() {
            let code = mosquitto_tls_set(client, authorities, nil, nil, nil, nil)
            guard code == MOSQ_ERR_SUCCESS.rawValue else {
                throw Failure(reason: "the file of trusted certificates cannot be read")
            }
        } else {
            try check(mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
        }
    }

    /// Queues a message for delivery at least once; returns its number.
    func publish(_ payload: some Collection<UInt8>, to topic: String, isRetained: Bool) throws(Failure) -> Int32 {
        var number: Int32 = 0
        let bytes = Array(payload)
        // SAFETY: the library copies the payload before it returns.
        let code = bytes.withUnsafeBytes { bytes in
            mosquitto_publish(client, &number, topic, Int32(bytes.count), bytes.baseAddress, 1, isRetained)
        }
        try check(code)
        return number
    }

    /// Waits until the broker has taken all these messages.
    func settle(_ numbers: [Int32]) throws(Failure) {
        try wait { handle in numbers.allSatisfy(handle.taken.contains) }
    }

    func count(_ numbers: [Int32]) -> Int {
        let count = numbers.prefix { taken.contains($0) }.count
        taken.subtract(numbers)
        return count
    }

    /// Reads, writes and pings as needed.
    func turn(waiting milliseconds: Int32 = 0) throws(Failure) {
        let code = mosquitto_loop(client, milliseconds, 1)
        guard !hasReceived else { throw Failure(reason: "the broker sends messages, but nothing is subscribed to") }
        if let answer, answer != 0 { throw refusal }
        try check(code)
    }

    /// Disconnects, so that the broker does not publish the will.
    func leave() {
        mosquitto_disconnect(client)
        mosquitto_loop(client, 0, 1)
    }

    private func wait(_ isDone: (MosquittoHandle) -> Bool) throws(Failure) {
        var (last, count) = (ContinuousClock.now, taken.count)
        while !isDone(self) {
            try turn(waiting: 100)
            if taken.count != count { (last, count) = (.now, taken.count) }
            guard ContinuousClock.now - last < Self.timeout else {
                throw Failure(reason: "the broker has not answered for \(Self.timeout.components.seconds) s")
            }
        }
    }

    private var refusal: Failure {
        switch answer {
        case 4, 5: Failure(reason: "the broker rejects the user or the password")
        default: Failure(reason: "the broker refuses the connection (code \(answer ?? 0))")
        }
    }

    private func check(_ code: Int32) throws(Failure) {
        let number = errno
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue: return
        case MOSQ_ERR_ERRNO.rawValue: throw Failure(reason: String(cString: strerror(number)))
        case MOSQ_ERR_EAI.rawValue: throw Failure(reason: "unknown host name")
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue:
            throw Failure(
                reason: "no encrypted connection: the certificate is for another host or its authority is not trusted; "
                    + "set SSL_CERT_FILE to the authority's file")
        case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue:
            throw Failure(reason: "the broker closed the connection")
        default: throw Failure(reason: String(cString: mosquitto_strerror(code)))
        }
    }
}
