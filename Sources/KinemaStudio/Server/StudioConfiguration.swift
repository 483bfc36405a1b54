package import Foundation
package import KinemaCore
import NIOCore

/// Where the server listens, which clients it admits, and its limits.
package struct StudioConfiguration: Sendable {
    /// The address to listen on; the loopback interface where nothing else is said.
    package var host = "127.0.0.1"
    /// The port; 0 takes any that is free.
    package var port = 8787
    /// What a client must know; nil lets everyone on the loopback interface in.
    package var token: AccessToken?
    /// Lets the browser in that is opened at the start, once, in the token's place.
    package var ticket: AccessTicket?
    /// Receives reports about failed sign-ins.
    package var report: @Sendable (Diagnostic) -> Void = { _ in }
    /// Names, with or without a port, by which a reverse proxy is asked for us.
    package var allowedHosts: [String] = []
    /// The program's version, as clients are told.
    package var version = ""
    /// The folder of the page; nil finds the one that was built with the command.
    package var page: URL?
    /// The server's limits.
    package var limits = StudioLimits()

    /// Loopback, without a token.
    package init() {}

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Refuses an open door: an address that others can reach needs a token.
    func check() throws {
        guard isLoopback || token != nil else {
            throw StartupError.openDoor(host).error
        }
        for name in allowedHosts where Authority(name) == nil {
            throw StartupError.badHostName(name).error
        }
    }
}

/// What to open in a browser.
package enum StudioAddress {
    /// The addresses, the likeliest first; where every interface is listened at, one for each that others can reach.
    /// `token` stands in them, or that of the configuration.
    package static func all(_ configuration: StudioConfiguration, port: Int, token: String? = nil) -> [String] {
        var hosts = [configuration.host]
        if configuration.host == "0.0.0.0" || configuration.host == "::" {
            let found = ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
            // Addresses that only hold on one cable (fe80) need an interface's name, which no browser takes.
            hosts = found.filter { !$0.hasPrefix("127.") && $0 != "::1" && !$0.hasPrefix("fe80") } + ["127.0.0.1"]
            if configuration.host == "0.0.0.0" { hosts.removeAll { $0.contains(":") } }
        }
        return hosts.map { host in
            "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
                + ((token ?? configuration.token?.text).map { "?token=\($0)" } ?? "")
        }
    }
}

/// Why a studio does not start.
enum StartupError {
    case openDoor(String)
    case badHostName(String)
    case portInUse(Int)
    case portForbidden(Int)
    case badAddress(String)
    case pageMissing
    case pageUnreadable(String)

    /// The fault in one line.
    var error: KinemaError {
        switch self {
        case .openDoor(let host):
            KinemaError(.invalidArgument, "others can reach \(host): a token is needed; leave --no-token out")
        case .badHostName(let name):
            KinemaError(.invalidArgument, "\(name) is no name of a host; write NAME or NAME:PORT")
        case .portInUse(let port):
            KinemaError(.unsupported, "port \(port) is in use; name another by --port, or 0 for any that is free")
        case .portForbidden(let port):
            KinemaError(.unsupported, "port \(port) is not for ordinary users; name one from 1024 on by --port")
        case .badAddress(let host):
            KinemaError(.invalidArgument, "cannot listen on \(host): it is no address of this machine")
        case .pageMissing:
            KinemaError(
                .missingComponent,
                "the studio's page is missing: keep \(PageFolder.bundleName) beside the command, or build again")
        case .pageUnreadable(let path):
            KinemaError(.missingComponent, "the studio's page cannot be read; build again", file: path)
        }
    }
}
