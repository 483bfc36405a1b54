package import Foundation
import KinemaCore
package import KinemaHTTP
package import NIOCore
import NIOPosix
import Synchronization

/// Phones as cameras: their listener, which can be turned on and off, who is paired, and what they are doing.
package final class PhoneService: Sendable {
    package struct Configuration: Sendable {
        /// The folder of the certificate and of the paired phones.
        package var folder: URL
        package var host = "0.0.0.0"
        package var port = 8788
        /// The user's own certificate and key, in place of those the studio makes.
        package var certificate: (certificate: URL, key: URL)?
        package var version = ""
        /// Whether phones are admitted from the start.
        package var startsOn = false
        package var limits = StudioLimits()
        package var tls = TLSLimits()
        package var links = LinkLimits()
        package var network: @Sendable () -> LocalNetwork = { .current() }
        /// Hears of each phone that was paired.
        package var onPaired: @Sendable (Phone) -> Void = { _ in }

        package init(folder: URL) { self.folder = folder }
    }

    /// Serves a connection of a phone, as the guard permits.
    package typealias Serve = @Sendable (_ connection: HTTPConnection, _ guard: PhoneGuard, _ port: Int) async -> Void

    /// The open listener.
    package struct Listening: Sendable {
        package let port: Int
        /// For a browser, likeliest first.
        package let addresses: [String]
        package let fingerprint: String
    }

    private struct State {
        var serve: Serve?
        var isChanging = false
        var listening: Listening?
        var task: Task<Void, Never>?
    }

    package let configuration: Configuration
    package let registry: PhoneRegistry
    package let desk = PairingDesk()
    package let room: Room
    package let links: PhoneLinks
    let streams = ConcurrencyLimiter(32, perAddress: 12)
    private let state = Mutex(State())
    /// The connections of each phone that are no sockets.
    private let connections = Mutex<[String: [ObjectIdentifier: any Channel]]>([:])
    /// Why phones cannot be admitted, if their list is damaged; it is left as it is.
    private let problem: (any Error)?

    /// Reads the paired phones; throws if the user's certificate does not fit its key, and if the list is damaged and phones
    /// are to be admitted from the start.
    package init(_ configuration: Configuration, room: Room = Room()) throws {
        self.configuration = configuration
        self.room = room
        do {
            (registry, problem) = (try PhoneRegistry(folder: configuration.folder), nil)
        } catch  where !configuration.startsOn {
            (registry, problem) = (PhoneRegistry(insteadOf: configuration.folder), error)
        }
        links = PhoneLinks(room: room, registry: registry, limits: configuration.links)
        if let (certificate, key) = configuration.certificate {
            _ = try StudioCertificate.given(certificate: certificate, key: key)
        }
    }

    /// Sets what serves phones; once, before the first is admitted.
    package func begin(links serveLinks: @escaping PhoneLinks.Serve, _ serve: @escaping Serve) {
        links.serve(serveLinks)
        state.withLock { $0.serve = serve }
    }

    package var listening: Listening? { state.withLock { $0.listening } }

    // MARK: On and off

    /// Listens for phones; does nothing if it does already. Throws one line if it cannot.
    package func turnOn() async throws {
        let serve = try state.withLock { state -> Serve? in
            guard !state.isChanging else { throw HTTPError.busy }
            guard state.listening == nil else { return nil }
            state.isChanging = true
            return state.serve
        }
        guard let serve else { return }
        if let problem {
            state.withLock { $0.isChanging = false }
            throw problem
        }
        defer { state.withLock { $0.isChanging = false } }
        let network = configuration.network()
        guard !network.addresses.isEmpty else {
            throw KinemaError(
                .invalidArgument,
                "this machine is in no network that a phone could join; connect it to Wi-Fi or a router")
        }
        let certificate =
            if let (certificate, key) = configuration.certificate {
                try StudioCertificate.given(certificate: certificate, key: key)
            } else {
                try StudioCertificate.kept(in: configuration.folder, for: network)
            }
        let door = TLSDoor(certificate.context, limits: configuration.tls)
        var limits = configuration.limits
        // Until the first byte of a request, with the handshake before it.
        limits.firstByteTimeout = configuration.tls.handshakeTimeout
        let listener = try await HTTPListener(
            host: configuration.host, port: configuration.port, setting: "--phone-port", limits: limits
        ) { try door.add(to: $0, for: $1) }
        let port = listener.port
        let names = Set(network.names + certificate.network.names)
        let guarding = PhoneGuard(registry, names: names.sorted(), port: port)
        // A name in the user's own certificate is what the phone trusts.
        let hosts =
            configuration.certificate == nil
            ? network.addresses : certificate.network.names.filter { !$0.contains("*") } + network.addresses
        let listening = Listening(
            port: port, addresses: hosts.map { "https://\($0)\(port == 443 ? "" : ":\(port)")/" },
            fingerprint: certificate.fingerprint)
        let task = Task { await listener.run { await serve($0, guarding, port) } }
        state.withLock { ($0.listening, $0.task) = (listening, task) }
    }

    /// Ends every phone's connection and stops listening; sets that were being recorded are kept.
    package func turnOff() async {
        let task = state.withLock { state in
            defer { (state.listening, state.task) = (nil, nil) }
            return state.task
        }
        desk.clear()
        room.endChanges()
        task?.cancel()
        await links.end(.goingAway)
        await task?.value
    }

    // MARK: Pairing

    /// A new invitation with an address for each network; nil while phones are not admitted.
    package func invite() -> (id: String, expires: Date, urls: [String])? {
        guard listening != nil else { return nil }
        let made = desk.invite()
        return (made.id, made.expires, urls(made.token))
    }

    /// The addresses of an invitation that still waits.
    func urls(of invitation: String) -> [String]? { desk.token(of: invitation).map(urls) }

    /// The token is in the fragment, which browsers send to no server.
    private func urls(_ token: String) -> [String] {
        (listening?.addresses ?? []).map { "\($0)phone#pair=\(token)" }
    }

    /// Revokes a phone and ends its connections; false if it is unknown.
    func revoke(_ id: String) async throws -> Bool {
        let known = Result { try registry.remove(id) }
        room.endChanges(of: id)
        endConnections(of: id)
        await links.end(of: id, .revoked)
        return try known.get()
    }

    // MARK: Connections

    /// Notes a phone's connection, which ends with its permission.
    package func hold(_ channel: any Channel, of phone: String) {
        connections.withLock { $0[phone, default: [:]][ObjectIdentifier(channel)] = channel }
    }

    /// Forgets a connection that has ended or has become a socket.
    package func release(_ channel: any Channel) {
        connections.withLock { connections in
            for phone in connections.keys {
                connections[phone]?[ObjectIdentifier(channel)] = nil
                if connections[phone]?.isEmpty == true { connections[phone] = nil }
            }
        }
    }

    /// Ends a phone's connections in mid-answer; its sockets go on.
    func endConnections(of phone: String) {
        let ended = connections.withLock { $0.removeValue(forKey: phone) }
        for channel in (ended ?? [:]).values { channel.close(promise: nil) }
    }
}

/// The names and addresses under which phones of the same network reach this machine.
package struct LocalNetwork: Sendable, Equatable {
    /// IPv4 addresses, likeliest first.
    package var addresses: [String]
    /// Host names, in lower case.
    package var names: [String]

    package init(addresses: [String], names: [String]) { (self.addresses, self.names) = (addresses, names) }

    /// Those of this machine now.
    package static func current() -> LocalNetwork {
        let devices = (try? System.enumerateDevices()) ?? []
        let found = devices.compactMap { device in device.address?.ipAddress.map { (device.name, $0) } }
        return LocalNetwork(addresses: addresses(of: found), names: names(of: ProcessInfo.processInfo.hostName))
    }

    /// Interfaces of containers, virtual machines and tunnels, which no phone reaches.
    private static let virtual = [
        "docker", "br-", "veth", "virbr", "cni", "flannel", "tailscale", "wg", "tun", "tap", "lxc", "lxd", "vmnet",
        "vbox",
    ]

    /// The addresses of interfaces in the order in which a phone may reach them; virtual ones only if there are no others.
    static func addresses(of interfaces: [(name: String, address: String)]) -> [String] {
        // A link-local address (169.254) is one that no router knows.
        let usable = interfaces.filter { _, address in
            address.contains(".") && !address.contains(":") && !address.hasPrefix("127.")
                && !address.hasPrefix("169.254.")
        }
        let real = usable.filter { name, _ in !virtual.contains { name.hasPrefix($0) } }
        var seen: Set<String> = []
        return (real.isEmpty ? usable : real).map(\.address).filter { seen.insert($0).inserted }
    }

    /// The host's name, and the one that the network's multicast DNS gives it.
    static func names(of host: String) -> [String] {
        let host = host.lowercased()
        let isName =
            !host.isEmpty && host.utf8.count <= 200 && host != "localhost"
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
        guard isName else { return [] }
        return host.contains(".") ? [host] : [host, host + ".local"]
    }

    /// The four bytes of an IPv4 address.
    static func bytes(of address: String) -> [UInt8]? {
        let bytes = address.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard bytes.count == 4, !bytes.contains(nil) else { return nil }
        return bytes.compactMap(\.self)
    }
}
