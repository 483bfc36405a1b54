import ArgumentParser
import Foundation
import Kinema
import KinemaStudio

/// `kinema studio`: the page that watches a person live.
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio", abstract: "Opens the studio: a page that watches a person live.",
        discussion: """
            Prints the address to open in a browser, and runs until it is interrupted. Only this machine can reach it \
            unless --host names another address; then a token is needed, and one is made up where none is given. \
            Documentation/studio.md tells how to reach it from a phone.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 takes any that is free.")
    var port = 8787

    @Option(help: "What a client must know; by default none on this machine alone, else a random one.")
    var token: String?

    @Option(help: ArgumentHelp("A name by which a reverse proxy is asked for the studio.", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("A file, camera or stream that the page offers, played live.", valueName: "input"))
    var input: [String] = []

    @Option(help: ArgumentHelp("A classifier of kinema train that the page offers.", valueName: "file"))
    var classifier: [String] = []

    @Flag(help: "Keeps nothing.")
    var noHistory = false

    @Flag(help: "Opens no address that a page names; inputs of the command line are still read.")
    var noStreams = false

    @Flag(name: .customLong("open"), help: "Opens the page in the desktop's browser.")
    var opens = false

    @OptionGroup var history: HistoryOptionGroup

    @Option(help: .hidden)
    var page: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535") }
        if noHistory && history.file != nil { throw ValidationError("--no-history and --history exclude each other") }
    }

    func run() async throws {
        let configuration = try studioConfiguration()
        let offers = StudioOffers(inputs: input, classifiers: classifier, allowsStreams: !noStreams)
        let services = try await offers.services(
            limits: configuration.limits, history: noHistory ? nil : try HistoryStore(history.url))
        let server = try StudioServer(configuration, services: services)
        let opens = opens
        try await Interruption.guarding { _ in
            try await server.run { port in
                let addresses = StudioAddress.all(configuration, port: port)
                for address in addresses { Console.shared.line("studio: \(address)") }
                if opens, let address = addresses.last { Self.open(address) }
            }
        }
    }

    private func studioConfiguration() throws -> StudioConfiguration {
        var configuration = StudioConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.allowedHosts = allowHost
        configuration.version = KinemaCommand.configuration.version
        configuration.page = page.map { URL(filePath: $0) }
        if let token {
            configuration.token = try AccessToken(token)
        } else if !configuration.isLoopback || !allowHost.isEmpty {
            // Whoever reaches the proxy reaches the studio.
            configuration.token = .random()
        }
        return configuration
    }

    /// Hands the address to the desktop; without one, the printed address does.
    private static func open(_ address: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
