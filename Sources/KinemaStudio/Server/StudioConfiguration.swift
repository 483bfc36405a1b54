package import Foundation
package import KinemaCore

/// Where the server listens, who may come in, and how much it bears.
package struct StudioConfiguration: Sendable {
    /// The address to listen on; the loopback interface where nothing else is said.
    package var host = "127.0.0.1"
    /// The port; 0 takes any that is free.
    package var port = 8787
    /// What a client must know; nil lets everyone on the loopback interface in.
    package var token: AccessToken?
    /// Lets the browser in that is opened at the start, once, in the token's place.
    package var ticket: AccessTicket?
    /// Hears what is worth knowing about who tries to come in.
    package var report: @Sendable (Diagnostic) -> Void = { _ in }
    /// Names, with or without a port, by which a reverse proxy is asked for us.
    package var allowedHosts: [String] = []
    /// The program's version, as clients are told.
    package var version = ""
    /// The folder of the page; nil finds the one that was built with the command.
    package var page: URL?
    /// What the server bears.
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
            throw StudioFault.openDoor(host).error
        }
        for name in allowedHosts where Authority(name) == nil {
            throw StudioFault.badHostName(name).error
        }
    }
}
