import KinemaHistory
import Foundation
import Kinema
import KinemaCommands
import KinemaCore
import KinemaHTTP
import KinemaPhones
import KinemaStudio
import KinemaSynth
import Synchronization

extension StudioCommand {
    /// Creates the services and loads the models; throws for an unreadable input or classifier, or a missing model.
    func services(_ configuration: StudioConfiguration) async throws -> StudioServices {
        let limits = configuration.limits
        var live = LiveConfiguration()
        live.finder = .init(model: try finder.bodyModel(.counting), device: finder.device, holdsPeopleAtRest: hold)
        let history = noHistory ? nil : try HistoryStore(self.history.url, limit: limits.historyBytes)
        let uploads = UploadStore(limits: limits)
        live.limits = limits.live
        live.streams = streams(configuration)
        live.inputs = try namedInputs()
        live.classifiers = try namedClassifiers()
        live.exercises = try knownExercises()
        (live.isolation, live.orientation) = (sandbox ? .thisExecutable : .none, turn.orientation)
        live.cameras = { CameraList.all() }
        live.upload = { await uploads.upload($0) }
        if let history {
            live.history = { try await history.add($0, replacing: $1) }
            live.remembered = { try await history.session($0) }
            live.workout = { try await history.workout(of: $0, at: $1) }
            live.keepVideo = { try await history.keepVideo($0, copying: $1, isCovered: $2) }
        }
        let library = history.map { ClassifierLibrary($0) }
        try await library?.load()
        if let library { live.madeClassifiers = { library.all } }
        let shelf = ExerciseShelf(given: live.exercises, beside: history?.file) { name in
            MovementLoop(exercise: name).map { ExerciseFigure(seconds: $0.seconds, frames: $0.frames) }
        }
        shelf.load()
        live.madeExercises = { shelf.taught }
        let service = LiveService(live)
        try await service.prepare()
        return StudioServices(
            live: service, uploads: uploads, history: history, classifiers: library, exercises: shelf,
            phones: try phones(configuration))
    }

    /// Phones as cameras, admitted from the start with --phone, else when the owner's page turns them on.
    private func phones(_ configuration: StudioConfiguration) throws -> PhoneService {
        let file = self.history.url
        let stem = file.pathExtension == "sqlite" ? file.deletingPathExtension() : file
        var phones = PhoneService.Configuration(folder: stem.appendingPathExtension("phones"))
        (phones.port, phones.startsOn, phones.version) = (phonePort, phone, configuration.version)
        phones.limits = configuration.limits
        if let certificate, let key { phones.certificate = (URL(filePath: certificate), URL(filePath: key)) }
        if phone { phones.onPaired = { PhoneInvitation.paired($0) } }
        return try PhoneService(phones)
    }

    /// Users of this machine may name any stream; others only public addresses, if allowed.
    private func streams(_ configuration: StudioConfiguration) -> LiveConfiguration.Streams {
        if noStreams { return .none }
        if configuration.isLoopback && allowHost.isEmpty { return .all }
        return pageStreams ? .publicAddresses() : .none
    }

    private func namedInputs() throws -> [LiveConfiguration.Input] {
        var names = UniqueNames()
        return try input.map { argument in
            guard argument != "-" else {
                throw KinemaError(.invalidArgument, "standard input cannot be played twice; give a file", file: "-")
            }
            _ = try MediaInput(argument: argument)
            return LiveConfiguration.Input(
                name: names.take(Self.displayName(argument)), argument: argument, trustsAnyone: insecure)
        }
    }

    private func namedClassifiers() throws -> [ClassifierLibrary.Classifier] {
        var names = UniqueNames()
        return try classifier.map { path in
            let file = URL(filePath: path)
            let name = file.deletingPathExtension().lastPathComponent
            return ClassifierLibrary.Classifier(
                id: names.take(name), name: name, model: try ActionClassifierOptions().classifier(contentsOf: file))
        }
    }

    /// The user's exercises, then those of the library with other names.
    private func knownExercises() throws -> [Exercise] {
        var own: [Exercise] = []
        for path in exercises {
            for exercise in try ExerciseChoice.read(path) {
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

    /// The file's name, or a stream's address without its password.
    private static func displayName(_ argument: String) -> String {
        guard argument.contains("://"), var parts = URLComponents(string: argument) else {
            return argument.hasPrefix("camera") ? argument : URL(filePath: argument).lastPathComponent
        }
        (parts.user, parts.password, parts.query) = (nil, nil, nil)
        return parts.string ?? "stream"
    }
}

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

/// Shows in the terminal how the next phone joins.
enum PhoneInvitation {
    private static let shown = Mutex<PhoneService?>(nil)

    /// Shows the first invitation, if phones are admitted.
    static func show(_ phones: PhoneService) {
        guard phones.listening != nil else { return }
        shown.withLock { $0 = phones }
        if phones.configuration.certificate == nil {
            Console.shared.line(
                "studio: the phone will warn that the certificate is not known: go on to the page (Advanced or Details), "
                    + "then allow the camera")
        } else {
            Console.shared.line("studio: the phone will ask for its camera: allow it")
        }
        next("scan this with the phone's camera, in the same Wi-Fi, within ten minutes")
    }

    static func paired(_ phone: Phone) {
        Console.shared.line("studio: \(phone.name) is paired")
        if Console.shared.isInteractive { next("for the next phone") }
    }

    private static func next(_ purpose: String) {
        guard let phones = shown.withLock({ $0 }), let listening = phones.listening else { return }
        // A code in a log could be read there; the page shows one instead.
        guard Console.shared.isInteractive else {
            for address in listening.addresses {
                Console.shared.line("studio: \(address)phone (\"Use a phone\" on the page shows the code)")
            }
            return
        }
        guard let url = phones.invite()?.urls.first, let code = try? QRCode(url) else { return }
        Console.shared.line("studio: \(url) (\(purpose))")
        Console.shared.picture(code.terminalLines)
    }
}
