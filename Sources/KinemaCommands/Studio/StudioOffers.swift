import Foundation
import Kinema
import KinemaStudio

/// What the page can choose from, and what stands behind the server.
struct StudioOffers {
    /// INPUTs of the command line.
    let inputs: [String]
    /// Files of `kinema train`.
    let classifiers: [String]
    /// The streams that a page may name by their address.
    let streams: LiveConfiguration.Streams
    /// Whether any certificate of the inputs' servers is taken.
    let trustsAnyone: Bool

    /// Puts the services together, with the models read in; throws for an input or a classifier that cannot be read,
    /// and where a model is not installed.
    func services(limits: StudioLimits, history: HistoryStore?) async throws -> StudioServices {
        let uploads = UploadStore(limits: limits)
        var live = LiveConfiguration()
        live.limits = limits.live
        live.streams = streams
        live.inputs = try namedInputs()
        live.classifiers = try namedClassifiers()
        live.cameras = { CameraList.all() }
        live.upload = { id in
            await uploads.upload(id).map {
                LiveConfiguration.Upload(name: $0.name, video: $0.video, overlay: $0.overlay, poses: $0.poses)
            }
        }
        if let history { live.history = { try await history.add($0) } }
        let service = LiveService(live)
        try await service.prepare()
        return StudioServices(live: service, uploads: uploads, history: history)
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
                id: names.take(name), name: name, model: try HumanActionClassifier(contentsOf: file))
        }
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
