import Foundation

/// The machines that may be connected to: those on the Internet, those listed, and one host by name.
struct NetworkReach: Sendable {
    var others: Set<NetworkAddress>
    /// The name of the one machine that may have any address.
    var ownHost: String?

    enum Refusal: Error {
        case forbidden
        /// With FFmpeg's error code.
        case unreachable(Int32)
    }

    init(allowing others: Set<NetworkAddress>) { self.others = others }

    /// The reach of an address: its own machine, anywhere, and others on the Internet, unless its own reach is smaller.
    init(of address: StreamAddress) {
        switch address.reach {
        case .anywhere: (others, ownHost) = ([], address.hostName)
        case .publicAddresses(let others): self.others = others
        }
    }

    /// The allowed endpoints that a name resolves to, and whether there are others.
    func endpoints(of name: String, port: Int) -> (allowed: [TCPSocketHandle.Endpoint], isKnown: Bool) {
        let all = TCPSocketHandle.resolve(name, port: port)
        let own = ownHost.map { TCPSocketHandle.resolve($0, port: port).map(\.address) } ?? []
        let allowed = all.filter {
            $0.address.isPublic || name == ownHost || own.contains($0.address) || others.contains($0.address)
        }
        return (allowed, !all.isEmpty)
    }

    func connect(to name: String, port: Int, _ lifetime: InterruptHandle) -> Result<TCPSocketHandle, Refusal> {
        let (endpoints, isKnown) = endpoints(of: name, port: port)
        guard !endpoints.isEmpty else { return .failure(isKnown ? .forbidden : .unreachable(-EHOSTUNREACH)) }
        var code = -ETIMEDOUT
        for endpoint in endpoints {
            if let connection = TCPSocketHandle.connect(endpoint, lifetime, &code) { return .success(connection) }
        }
        return .failure(.unreachable(code))
    }
}
