import ArgumentParser
import Foundation
import KinemaCore
import KinemaStudio

/// `kinema studio`: the page that watches a person live.
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio", abstract: "Opens the studio: a page that watches a person live.",
        discussion: """
            Prints the address to open in a browser, and runs until it is interrupted. Only this machine can reach it \
            unless --host names another address; then a token is needed, and one is made up where none is given.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 takes any that is free.")
    var port = 8787

    @Option(help: ArgumentHelp("What a client must know; random with --host where none is given.", valueName: "token"))
    var token: String?

    @Option(help: ArgumentHelp("A name by which a reverse proxy is asked for the studio.", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: .hidden)
    var page: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
    }

    func run() async throws {
        let server = try StudioServer(
            configuration(), services: StudioServices(live: LiveService(), uploads: UploadStore(limits: StudioLimits())))
        let address = try self.configuration()
        try await Interruption.guarding { _ in
            try await server.run { port in
                Console.shared.line("studio: \(Self.address(address, port))")
            }
        }
    }

    private func configuration() throws -> StudioConfiguration {
        var configuration = StudioConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.allowedHosts = allowHost
        configuration.page = page.map { URL(filePath: $0) }
        if let token {
            configuration.token = try AccessToken(token)
        } else if !configuration.isLoopback {
            configuration.token = .random()
        }
        return configuration
    }

    /// What to open in a browser.
    private static func address(_ configuration: StudioConfiguration, _ port: Int) -> String {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        return "http://\(host):\(port)/" + (configuration.token.map { "?token=\($0.text)" } ?? "")
    }
}

/// Says nothing.
private struct SilentLive: LiveServing {
    func serve(_ socket: some LiveSocket) async {
        do { for try await _ in socket.messages {} } catch {}
    }
}
