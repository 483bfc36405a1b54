import CMosquitto
import Foundation
import KinemaMedia

/// One connection to a broker of MQTT 3.1.1, made by libmosquitto; for one thread at a time.
final class MosquittoHandle {
    /// Why the broker cannot be reached or does not take what it is sent; a message for the user without the address.
    struct Failure: Error {
        var reason: String
    }

    private let address: MQTTAddress
    // SAFETY: made in `init`, freed in `deinit`; its callbacks run inside `mosquitto_loop`, so while `self` is there.
    private let client: OpaquePointer
    /// What the broker answered to the first message; 0 lets in.
    private var answer: Int32?
    /// The messages that the broker has taken, by number.
    private var taken: Set<Int32> = []

    /// A broker that says nothing for longer, though it is to answer, has failed.
    private static let patience = Duration.seconds(10)
    /// Seconds without a message after which either side asks whether the other is there; the broker tells the will after
    /// one and a half times that.
    private static let keepAlive: Int32 = 30
    private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    /// Connects and logs in; `will` is the topic that gets `last` when the connection breaks off.
    init(_ address: MQTTAddress, will: String, last: String) throws(Failure) {
        // Brokers have to take names of 23 bytes (MQTT 3.1.1, 3.1.3.1); one name may be there once.
        let name = "kinema-" + String(UInt64.random(in: .min ... .max), radix: 36)
        guard Self.isReady, let client = mosquitto_new(name, true, nil) else {
            throw Failure(reason: "libmosquitto cannot be used")
        }
        (self.address, self.client) = (address, client)
        // A line goes out at once, not when the one before it has been acknowledged.
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_callback_set(client) { MosquittoHandle.of($1)?.answer = $2 }
        mosquitto_publish_callback_set(client) { MosquittoHandle.of($1)?.taken.insert($2) }
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

    /// The broker's certificate has to be for the host, and of an authority that is trusted.
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

    /// Hands a message over, to be taken at least once; returns its number.
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

    /// How many of the first of these messages the broker has taken; forgets them.
    func count(_ numbers: [Int32]) -> Int {
        let count = numbers.prefix { taken.contains($0) }.count
        taken.subtract(numbers)
        return count
    }

    /// Sees to what came meanwhile, and that the broker knows we are there.
    func turn(waiting milliseconds: Int32 = 0) throws(Failure) {
        let code = mosquitto_loop(client, milliseconds, 1)
        if let answer, answer != 0 { throw refusal }
        try check(code)
    }

    /// Says goodbye, so that the broker does not tell the will.
    func leave() {
        mosquitto_disconnect(client)
        mosquitto_loop(client, 0, 1)
    }

    private func wait(_ isDone: (MosquittoHandle) -> Bool) throws(Failure) {
        var (last, count) = (ContinuousClock.now, taken.count)
        while !isDone(self) {
            try turn(waiting: 100)
            if taken.count != count { (last, count) = (.now, taken.count) }
            guard ContinuousClock.now - last < Self.patience else {
                throw Failure(reason: "the broker has not answered for \(Self.patience.components.seconds) s")
            }
        }
    }

    private var refusal: Failure {
        switch answer {
        case 4, 5: Failure(reason: "the broker refuses the user or the password")
        default: Failure(reason: "the broker lets nobody in (code \(answer ?? 0))")
        }
    }

    /// Throws unless a call of the library went well.
    private func check(_ code: Int32) throws(Failure) {
        let number = errno
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue: return
        case MOSQ_ERR_ERRNO.rawValue: throw Failure(reason: String(cString: strerror(number)))
        case MOSQ_ERR_EAI.rawValue: throw Failure(reason: "the host's name is not known")
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue:
            throw Failure(
                reason:
                    "no encrypted connection: the certificate does not fit the host or no authority that is trusted "
                    + "signed it; name the authority's file in SSL_CERT_FILE")
        case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue:
            throw Failure(reason: "the broker closed the connection")
        default: throw Failure(reason: String(cString: mosquitto_strerror(code)))
        }
    }
}
