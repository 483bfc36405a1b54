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
            unless --host names another address. Other users of the machine are kept out by the token in the printed \
            address: a random one, or your own from --token-file or $KINEMA_TOKEN. Documentation/studio.md tells how to \
            reach the studio from a phone.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 takes any that is free.")
    var port = 8787

    @Option(help: "What a client must know. Every user of this machine can read it here; see --token-file.")
    var token: String?

    @Option(help: ArgumentHelp("A file whose first line is the token; else $KINEMA_TOKEN is.", valueName: "file"))
    var tokenFile: String?

    @Flag(help: "Lets everyone on this machine in.")
    var noToken = false

    @Option(help: ArgumentHelp("A name by which a reverse proxy is asked for the studio.", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("A file, camera or stream that the page offers, played live.", valueName: "input"))
    var input: [String] = []

    @Option(help: ArgumentHelp("A classifier of kinema train that the page offers.", valueName: "file"))
    var classifier: [String] = []

    @Option(help: "Megabytes that the kept sessions may take; what comes after that is not kept.")
    var historyLimit = StudioLimits().historyBytes / 1_000_000

    @Flag(help: "Keeps nothing.")
    var noHistory = false

    @Flag(help: "Opens no address that a page names; inputs of the command line are still read.")
    var noStreams = false

    @Flag(
        help: """
            Opens addresses that a page names although other machines are served: those of the Internet, none of this \
            machine or its network. Without --host and --allow-host a page may name any.
            """)
    var pageStreams = false

    @Flag(help: "Takes any certificate of the https:// and rtsps:// servers that --input names.")
    var insecure = false

    @Flag(name: .customLong("open"), help: "Opens the page in the desktop's browser.")
    var opens = false

    @OptionGroup var history: HistoryOptionGroup

    @Option(help: .hidden)
    var page: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535") }
        if [token != nil, tokenFile != nil, noToken].count(where: \.self) > 1 {
            throw ValidationError("--token, --token-file and --no-token exclude each other")
        }
        guard (1...1_000_000).contains(historyLimit) else {
            throw ValidationError("--history-limit takes 1 to 1000000 megabytes")
        }
        if noStreams && pageStreams {
            throw ValidationError("--no-streams and --page-streams exclude each other")
        }
        if noHistory && history.file != nil { throw ValidationError("--no-history and --history exclude each other") }
    }

    func run() async throws {
        let configuration = try studioConfiguration()
        ReadingLimits.untrusted.limitAllocations()
        let offers = StudioOffers(
            inputs: input, classifiers: classifier, streams: streams(configuration), trustsAnyone: insecure)
        let limits = configuration.limits
        let services = try await offers.services(
            limits: limits, history: noHistory ? nil : try HistoryStore(history.url, limit: limits.historyBytes))
        let server = try StudioServer(configuration, services: services)
        let opens = opens
        try await Interruption.guarding { _ in
            try await server.run { port in
                let addresses = StudioAddress.all(configuration, port: port)
                for address in addresses { Console.shared.line("studio: \(address)") }
                let ticket = configuration.ticket?.text
                if opens, let address = StudioAddress.all(configuration, port: port, token: ticket).last {
                    Self.open(address)
                }
            }
        }
    }

    /// Whoever is on this machine may name any stream; others none that they are not allowed to, and none within.
    private func streams(_ configuration: StudioConfiguration) -> LiveConfiguration.Streams {
        if noStreams { return .none }
        if configuration.isLoopback && allowHost.isEmpty { return .all }
        return pageStreams ? .publicAddresses() : .none
    }

    private func studioConfiguration() throws -> StudioConfiguration {
        var configuration = StudioConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.allowedHosts = allowHost
        configuration.version = KinemaCommand.configuration.version
        configuration.page = page.map { URL(filePath: $0) }
        configuration.limits.historyBytes = historyLimit * 1_000_000
        configuration.token = try accessToken()
        // The browser's own command line is seen by every user of the machine.
        if opens && !noToken { configuration.ticket = AccessTicket() }
        configuration.report = { Console.shared.line("studio: \($0)") }
        return configuration
    }

    private func accessToken() throws -> AccessToken? {
        if noToken { return nil }
        if let token { return try AccessToken(token) }
        if let tokenFile { return try AccessToken(contentsOf: URL(filePath: tokenFile)) }
        guard let word = ProcessInfo.processInfo.environment["KINEMA_TOKEN"], !word.isEmpty else { return .random() }
        do {
            return try AccessToken(word)
        } catch let error as KinemaError {
            throw KinemaError(error.code, "KINEMA_TOKEN: \(error.message)")
        }
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
