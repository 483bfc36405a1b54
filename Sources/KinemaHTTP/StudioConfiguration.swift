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
    package func check() throws {
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

/// Every limit of the server, with the source of each number.
package struct StudioLimits: Sendable, Equatable {
    // MARK: A request

    /// Bytes of a request's address and header. Browsers send under 2 KB; other servers allow 8 to 16 KB.
    package var headBytes = 16_384
    /// Header fields of a request. Browsers send about 20; Apache allows 100.
    package var headFields = 64
    /// Bytes of a request's address; the page's longest is under 300.
    package var addressBytes = 2_048
    /// Bytes of an unwanted body that are discarded to keep the connection.
    package var bodyBytes = 65_536
    /// From a request's first byte to the end of its head. A browser sends it in one packet; Apache gives 20 s.
    package var headTimeout = Duration.seconds(10)
    /// Without a byte of an expected body.
    package var bodyIdleTimeout = Duration.seconds(10)
    /// For a whole body, beside its least rate (`uploadRate`): the largest upload over the slowest Wi-Fi, 1 GB at 0.3 MB/s.
    package var bodyTimeout = Duration.seconds(3_600)
    /// Between two requests of a connection; nginx's 75 s, less a browser's own margin.
    package var keepAliveTimeout = Duration.seconds(60)
    /// Simultaneous requests: a page loads about 12 files at first.
    package var requests = 32
    /// Requests of one address: three quarters, so that no one takes all.
    package var requestsPerAddress = 24
    /// Simultaneous exports until they are read; each takes a core, then the memory or disk of its file.
    package var exports = 4
    package var exportsPerAddress = 3
    /// Sessions in one page of the history's list, about 0.5 KB each.
    package var sessions = 100
    /// Bytes of a JSON body: ten thousand corrected repetitions in their shortest form.
    package var jsonBytes = 262_144
    /// Bytes of an imported archive: a full history of the usual size with its videos.
    package var archiveBytes = 2_000_000_000
    /// Simultaneous trainings; one takes all cores.
    package var trainings = 1
    /// Seconds of all marks of a training, which nothing interrupts; an hour of four classes takes 2 s.
    package var trainingSeconds = 3_600.0
    package var trainingSessions = 1_000
    /// Classes of a trained classifier; Create ML's samples have under twenty.
    package var trainingClasses = 100
    /// Trained classifiers; each takes some megabytes of memory.
    package var classifiers = 100
    /// Exercises taught or imported; all are tracked during recognition.
    package var exercises = 50
    /// Bytes of the history: about a hundred thousand sets of ten repetitions, or a hundred of ten minutes with poses.
    package var historyBytes = 1_000_000_000

    // MARK: Connections

    /// Simultaneous connections: a browser opens six besides the socket.
    package var connections = 128
    /// Connections of one address, also a reverse proxy's: half of all; three browsers need some twenty.
    package var connectionsPerAddress = 64
    /// From a connection's start to its first byte; browsers connect early, and slow lines need a second.
    package var firstByteTimeout = Duration.seconds(5)

    // MARK: Wrong tokens

    /// The delay of the answer to an address's first wrong token; each further one doubles it.
    package var wrongTokenDelay = Duration.milliseconds(250)
    /// The longest delay; also a client that does not wait for its answer is limited by `tokenInterval`.
    package var wrongTokenMaximumDelay = Duration.seconds(4)
    /// Between two checks of an address that has sent a wrong token: the right one waits at most for those of its other
    /// connections, a second or so.
    package var tokenInterval = Duration.milliseconds(20)
    /// The time without a wrong token after which an address counts as new.
    package var wrongTokenMemory = Duration.seconds(300)
    /// Remembered addresses; the oldest is forgotten first.
    package var wrongTokenAddresses = 1_024
    /// Between two lines about wrong tokens.
    package var wrongTokenReportInterval = Duration.seconds(10)

    // MARK: Uploads

    /// Stored uploads, each of at most `live.uploadBytes`.
    package var uploads = 5
    package var uploadsPerAddress = 4
    /// The least rate of a body and of the reader of an export, bytes a second: a fifth of the slowest Wi-Fi.
    package var uploadRate = 65_536
    /// The window of that rate: longer than a phone takes to change networks.
    package var uploadWindow = Duration.seconds(30)
    package var uploadIdleTimeout = Duration.seconds(600)

    // MARK: A socket

    /// Bytes of a text message; the page's longest is under 500.
    package var textBytes = 16_384
    /// Fragments of one message: Chromium sends a raw picture of 460 KB in about six.
    package var fragments = 64
    /// Sustained messages a second: 1.5 times the permitted frames, so that this ends only a flood.
    package var messagesPerSecond = 90
    /// Messages at once above that rate: those of a page that was blocked for a second or two.
    package var messageBurst = 180
    /// Simultaneous sockets: a studio serves one or two people.
    package var sockets = 16
    package var socketsPerAddress = 12
    package var pingInterval = Duration.seconds(10)
    /// Without any frame, not even the answer to three pings.
    package var idleTimeout = Duration.seconds(30)

    package var live = LiveLimits()

    // MARK: Both

    /// The longest time that a client may be behind.
    package var writeTimeout = Duration.seconds(10)
    /// The longest time for a client to receive the last answer, or to answer a close.
    package var closeTimeout = Duration.seconds(2)
    /// Bytes that wait for a client before it counts as behind; about one picture of 640x480.
    package var outboundBytes = 65_536
    /// Bytes of the system's buffers in each direction: a client is found behind within a few pictures.
    package var systemBufferBytes = 131_072

    package init() {}
}

/// The limits of clients, which `hello` reports (Documentation/studio.md).
package struct LiveLimits: Sendable, Equatable, Codable {
    /// The maximum size of a frame in bytes: the largest raw picture of 5.3 MiB with its header.
    package var frameBytes = 6 << 20
    /// Twice a usual camera's rate, for fast cameras.
    package var framesPerSecond = 60
    package var width = 1920
    package var height = 1920
    package var uploadBytes = 1 << 30

    package init() {}
}
