import KinemaHTTP
public import ArgumentParser
import Foundation
import KinemaCommands
import Kinema
import KinemaPhones
import KinemaStudio

/// The command of the program `kinema-studio`: all of `kinema`, with those that need a server or a database.
public struct KinemaStudioCommand: AsyncParsableCommand {
    /// The configuration of `kinema`, with these commands in place of those that only start this program.
    public static let configuration: CommandConfiguration = {
        var configuration = KinemaCommand.configuration
        let own: [any ParsableCommand.Type] = [
            EvaluateCommand.self, WatchCommand.self, StudioCommand.self, HistoryCommand.self, SynthCommand.self,
        ]
        configuration.subcommands = configuration.subcommands.map { command in
            own.first { $0.configuration.commandName == command.configuration.commandName } ?? command
        }
        return configuration
    }()

    /// Creates the command.
    public init() {}

    /// Prints what `kinema` prints without a subcommand.
    public func run() async throws { try await KinemaCommand().run() }
}

struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio", abstract: "Serves the studio: a web page that analyses people live.",
        discussion: """
            Prints the address to open in a browser and runs until you stop it with Ctrl-C. Only this machine can reach it, \
            unless --host names another address. With --phone, phones of the same network become cameras: each scans a \
            code once. A token in the address keeps out the other users of this machine: a \
            random one, or your own from --token-file or $KINEMA_TOKEN. --rotate and --mirror apply to --input and to the cameras and \
            streams that the server opens, not to a browser's camera or to uploads. Documentation/studio.md explains what \
            a phone may do.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 picks a free one.")
    var port = 8787

    @Flag(help: "Let phones of the same network be cameras, over HTTPS, and print the code that a phone scans.")
    var phone = false

    @Option(help: "The port for phones; 0 picks a free one.")
    var phonePort = 8788

    @Option(
        help: ArgumentHelp(
            "The certificate that phones see, in PEM, with its chain; without it the studio makes one.",
            valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The key of --certificate, in PEM without a password.", valueName: "file"))
    var key: String?

    @Option(help: "The token that clients need. Other users of this machine can read it here; prefer --token-file.")
    var token: String?

    @Option(
        help: ArgumentHelp(
            "Read the token from the first line of this file. (default: $KINEMA_TOKEN)", valueName: "file"))
    var tokenFile: String?

    @Flag(help: "Admit every user of this machine without a token.")
    var noToken = false

    @Option(help: ArgumentHelp("Also answer to this host name, such as that of a reverse proxy.", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("Offer this file, camera or stream on the page, played live.", valueName: "input"))
    var input: [String] = []

    @OptionGroup var turn: TurnOptionGroup

    @Option(
        help: ArgumentHelp(
            "Offer this classifier on the page: one from kinema train, or an .onnx file.", valueName: "file"))
    var classifier: [String] = []

    @Option(
        help: ArgumentHelp(
            "Offer the exercises of this JSON file, or of a folder of them, on the page.", valueName: "file"))
    var exercises: [String] = []

    @Option(help: "The maximum size of the saved sessions in MB; when full, new ones are not saved.")
    var historyLimit = StudioLimits().historyBytes / 1_000_000

    @Flag(help: "Save no sessions.")
    var noHistory = false

    @Flag(help: "Never open an address that a page sends; --input still works.")
    var noStreams = false

    @Flag(
        help: """
            With --host or --allow-host: open Internet addresses that a page sends, but none of this machine or its \
            network. Without --host and --allow-host, a page may send any address.
            """)
    var pageStreams = false

    @Flag(help: "Accept any certificate from the https:// and rtsps:// servers of --input.")
    var insecure = false

    @Flag(name: .customLong("open"), help: "Open the page in the browser.")
    var opens = false

    @Flag(
        inversion: .prefixedNo,
        help: "Decode uploads, streams and frames in separate processes that cannot open files or reach the network.")
    var sandbox = true

    @OptionGroup var history: HistoryOptionGroup

    @OptionGroup var finder: BodyModelOptionGroup

    @Flag(help: "Reuse the landmarks of people at rest for up to half a second: fewer inferences.")
    var hold = false

    @Option(help: .hidden)
    var page: String?

    func validate() throws {
        try require(port, in: 0...65_535, "--port")
        try require(phonePort, in: 0...65_535, "--phone-port")
        if port != 0 && port == phonePort { throw ValidationError("--port and --phone-port must differ") }
        if (certificate == nil) != (key == nil) { throw ValidationError("--certificate and --key belong together") }
        if [token != nil, tokenFile != nil, noToken].count(where: \.self) > 1 {
            throw ValidationError("--token, --token-file and --no-token cannot be combined")
        }
        try require(historyLimit, in: 1...1_000_000, "--history-limit", "megabytes")
        if noStreams && pageStreams { throw ValidationError("--no-streams and --page-streams cannot be combined") }
        if hold && finder.model != .blazePose { throw ValidationError("--hold requires blazepose") }
        if noHistory && history.file != nil { throw ValidationError("--no-history and --history cannot be combined") }
    }

    func run() async throws {
        let configuration = try studioConfiguration()
        ReadingLimits.untrusted.limitAllocations()
        let services = try await services(configuration)
        let server = try StudioServer(configuration, services: services)
        let (opens, phones) = (opens, services.phones)
        try await Interruption.guarding { interruption in
            try await interruption.cancelling {
                try await server.run { port in
                    let addresses = StudioAddress.all(configuration, port: port)
                    for address in addresses { Console.shared.line("studio: \(address)") }
                    if let phones { PhoneInvitation.show(phones) }
                    let ticket = configuration.ticket?.text
                    if opens, let address = StudioAddress.all(configuration, port: port, token: ticket).last {
                        Self.open(address)
                    }
                }
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
        configuration.limits.historyBytes = historyLimit * 1_000_000
        configuration.limits.archiveBytes = max(configuration.limits.archiveBytes, 2 * historyLimit * 1_000_000)
        configuration.token = try accessToken()
        // Every user of the machine can read the browser's command line.
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

    /// Opens the address in the desktop's browser, if there is one.
    private static func open(_ address: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
