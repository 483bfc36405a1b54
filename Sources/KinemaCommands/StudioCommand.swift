import ArgumentParser
import Foundation
import Kinema
import KinemaMedia
import KinemaStudio

/// `kinema studio`: the page that watches a person live.
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio", abstract: "Serves the studio: a web page that watches people live.",
        discussion: """
            Prints the address to open in a browser and runs until you stop it with Ctrl-C. Only this machine can reach it, \
            unless --host names another address. A token in the address keeps out the other users of this machine: a \
            random one, or your own from --token-file or $KINEMA_TOKEN. Documentation/studio.md explains how to reach the \
            studio from a phone.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 picks a free one.")
    var port = 8787

    @Option(help: "The token that clients need. Other users of this machine can read it here; prefer --token-file.")
    var token: String?

    @Option(
        help: ArgumentHelp(
            "Read the token from the first line of this file. (default: $KINEMA_TOKEN)", valueName: "file"))
    var tokenFile: String?

    @Flag(help: "Let everyone on this machine in.")
    var noToken = false

    @Option(help: ArgumentHelp("Also answer to this host name, such as that of a reverse proxy.", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("Offer this file, camera or stream on the page, played live.", valueName: "input"))
    var input: [String] = []

    @Option(
        help: ArgumentHelp(
            "Offer this classifier on the page: one by kinema train, or an .onnx file.", valueName: "file"))
    var classifier: [String] = []

    @Option(help: ArgumentHelp("Offer the exercises of this JSON file on the page.", valueName: "file"))
    var exercises: [String] = []

    @Option(help: "The most megabytes of saved sessions; when full, new ones are not saved.")
    var historyLimit = StudioLimits().historyBytes / 1_000_000

    @Flag(help: "Save no sessions.")
    var noHistory = false

    @Flag(help: "Open no address that a page names; --input still works.")
    var noStreams = false

    @Flag(
        help: """
            With --host or --allow-host: open Internet addresses that a page names, but none of this machine or its \
            network. Without them, a page may name any address.
            """)
    var pageStreams = false

    @Flag(help: "Accept any certificate from the https:// and rtsps:// servers of --input.")
    var insecure = false

    @Flag(name: .customLong("open"), help: "Open the page in the browser.")
    var opens = false

    @Flag(
        inversion: .prefixedNo,
        help: "Decode uploads, streams and pictures in processes of their own, which can open and reach nothing else.")
    var sandbox = true

    @OptionGroup var history: HistoryOptionGroup

    @OptionGroup var finder: BodyModelOptionGroup

    @Flag(help: "Let the landmarks of people at rest stand for up to half a second: fewer inferences.")
    var hold = false

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
        if hold && finder.model != .blazePose { throw ValidationError("--hold goes with blazepose") }
        if noHistory && history.file != nil { throw ValidationError("--no-history and --history exclude each other") }
    }

    func run() async throws {
        let configuration = try studioConfiguration()
        ReadingLimits.untrusted.limitAllocations()
        let offers = StudioOffers(
            inputs: input, classifiers: classifier, exercises: exercises, streams: streams(configuration),
            trustsAnyone: insecure,
            finder: .init(model: try finder.bodyModel(.counting), device: finder.device, holdsPeopleAtRest: hold),
            isolation: sandbox ? .thisExecutable : .none)
        let limits = configuration.limits
        let services = try await offers.services(
            limits: limits, history: noHistory ? nil : try HistoryStore(history.url, limit: limits.historyBytes))
        let server = try StudioServer(configuration, services: services)
        let opens = opens
        try await Interruption.guarding { interruption in
            try await interruption.cancelling {
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
        configuration.limits.archiveBytes = max(configuration.limits.archiveBytes, 2 * historyLimit * 1_000_000)
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

/// What the page can choose from, and what stands behind the server.
struct StudioOffers {
    /// INPUTs of the command line.
    let inputs: [String]
    /// Files of `kinema train`.
    let classifiers: [String]
    /// Files of exercises.
    let exercises: [String]
    /// The streams that a page may name by their address.
    let streams: LiveConfiguration.Streams
    /// Whether any certificate of the inputs' servers is taken.
    let trustsAnyone: Bool
    /// What finds bodies, and on which device.
    let finder: LiveConfiguration.Finder
    /// Where uploads, streams and pictures are decoded.
    let isolation: DecoderIsolation

    /// Puts the services together, with the models read in; throws for an input or a classifier that cannot be read,
    /// and where a model is not installed.
    func services(limits: StudioLimits, history: HistoryStore?) async throws -> StudioServices {
        let uploads = UploadStore(limits: limits)
        var live = LiveConfiguration()
        live.limits = limits.live
        live.streams = streams
        live.inputs = try namedInputs()
        live.classifiers = try namedClassifiers()
        live.exercises = try knownExercises()
        live.finder = finder
        live.isolation = isolation
        live.cameras = { CameraList.all() }
        live.upload = { await uploads.upload($0) }
        if let history {
            live.history = { try await history.add($0) }
            live.remembered = { try await history.session($0) }
            live.keepVideo = { try await history.keepVideo($0, copying: $1) }
        }
        let library = history.map { ClassifierLibrary($0) }
        try await library?.load()
        if let library { live.madeClassifiers = { library.all } }
        let service = LiveService(live)
        try await service.prepare()
        return StudioServices(live: service, uploads: uploads, history: history, classifiers: library)
    }

    private func namedInputs() throws -> [LiveConfiguration.Input] {
        var names = UniqueNames()
        return try inputs.map { argument in
            guard argument != "-" else {
                throw KinemaError(.invalidArgument, "standard input cannot be played twice; name a file", file: "-")
            }
            _ = try MediaInput(argument: argument)
            return LiveConfiguration.Input(
                name: names.take(Self.displayName(argument)), argument: argument, trustsAnyone: trustsAnyone)
        }
    }

    private func namedClassifiers() throws -> [LiveConfiguration.Classifier] {
        var names = UniqueNames()
        return try classifiers.map { path in
            let file = URL(filePath: path)
            let name = file.deletingPathExtension().lastPathComponent
            return LiveConfiguration.Classifier(
                id: names.take(name), name: name, model: try ActionClassifierOptions().classifier(contentsOf: file))
        }
    }

    /// One's own exercises, then those of the library whose names they leave free.
    private func knownExercises() throws -> [Exercise] {
        var own: [Exercise] = []
        for path in exercises {
            for exercise in try ExerciseLibrary.read(contentsOf: URL(filePath: path)) {
                guard ExerciseLibrary.exercise(named: exercise.name, in: own) == nil else {
                    throw KinemaError(
                        .invalidArgument, "another file has an exercise called \(exercise.name); rename one", file: path
                    )
                }
                own.append(exercise)
            }
        }
        return own + ExerciseLibrary.all.filter { ExerciseLibrary.exercise(named: $0.name, in: own) == nil }
    }

    /// The file's name; of a stream the address without the password that may be in it.
    private static func displayName(_ argument: String) -> String {
        guard argument.contains("://"), var parts = URLComponents(string: argument) else {
            return argument.hasPrefix("camera") ? argument : URL(filePath: argument).lastPathComponent
        }
        (parts.user, parts.password, parts.query) = (nil, nil, nil)
        return parts.string ?? "stream"
    }
}

/// Gives names a number where they would be the same.
private struct UniqueNames {
    private var taken: Set<String> = []

    mutating func take(_ name: String) -> String {
        var number = 1
        var result = name
        while !taken.insert(result).inserted {
            number += 1
            result = "\(name) \(number)"
        }
        return result
    }
}
