import NIOCore

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
