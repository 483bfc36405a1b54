package import Foundation
package import KinemaCore
import NIOCore

/// The server's address, its admitted clients and its limits.
package struct StudioConfiguration: Sendable {
    package var host = "127.0.0.1"
    /// 0 takes any free port.
    package var port = 8787
    /// The secret of clients; nil admits everyone on the loopback interface.
    package var token: AccessToken?
    /// Admits the browser that is opened at the start, once, instead of the token.
    package var ticket: AccessTicket?
    /// Receives reports about failed sign-ins, and deleted data that are still readable.
    package var report: @Sendable (Diagnostic) -> Void = { _ in }
    /// Host names of a reverse proxy, with or without a port.
    package var allowedHosts: [String] = []
    package var version = ""
    /// The page's folder; nil finds the one built with the command.
    package var page: URL?
    package var limits = StudioLimits()

    package init() {}

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// Throws if other machines can reach the address without a token.
    func check() throws {
        guard isLoopback || token != nil else {
            throw KinemaError(.invalidArgument, "others can reach \(host): a token is needed; omit --no-token")
        }
        for name in allowedHosts where Authority(name) == nil {
            throw KinemaError(.invalidArgument, "\(name) is not a host name; write NAME or NAME:PORT")
        }
    }
}

package enum StudioAddress {
    /// The addresses with the token, likeliest first; a wildcard host gives one for each reachable interface.
    package static func all(_ configuration: StudioConfiguration, port: Int, token: String? = nil) -> [String] {
        var hosts = [configuration.host]
        if configuration.host == "0.0.0.0" || configuration.host == "::" {
            let found = ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
            // Link-local addresses (fe80) need an interface's name, which no browser accepts.
            hosts = found.filter { !$0.hasPrefix("127.") && $0 != "::1" && !$0.hasPrefix("fe80") } + ["127.0.0.1"]
            if configuration.host == "0.0.0.0" { hosts.removeAll { $0.contains(":") } }
        }
        return hosts.map { host in
            "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
                + ((token ?? configuration.token?.text).map { "?token=\($0)" } ?? "")
        }
    }
}
