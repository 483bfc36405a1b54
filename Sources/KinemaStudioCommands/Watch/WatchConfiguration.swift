import Foundation
import KinemaCommands
import KinemaCore
import KinemaWatch
import Yams

/// The configuration of `kinema watch`, from a YAML file.
struct WatchConfiguration: Sendable {
    /// A camera, a stream or a file, and its task.
    struct Camera: Sendable {
        var name, input: String
        var task: JobTask
        var options: [String]
    }

    var cameras: [Camera]
    var folder: String
    var listen: (host: String, port: Int)?
    /// Further accepted hosts of the metrics server.
    var hosts: [String]
    var webhook: Webhook.Address?
    var mqtt: MQTTAddress?

    /// Bytes of a file: enough for a thousand cameras.
    private static let largest = 256 << 10
    private static let mostCameras = 64, mostOptions = 64, longest = 2048

    /// Reads a file; throws `unreadableInput` with the camera and the key that is wrong.
    init(contentsOf url: URL) throws {
        let bytes = try BoundedFile.read(
            url, limit: Self.largest, remedy: "see kinema watch --help", excess: "split it")
        do {
            try self.init(String(decoding: bytes, as: UTF8.self))
        } catch var error as KinemaError {
            error.file = url.path
            throw error
        }
    }

    /// Parses a text; relative paths start at the working folder.
    init(_ text: String) throws {
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            throw Self.broken("is not YAML: \(Self.words(error))")
        }
        guard let root = node?.mapping else { throw Self.broken("lists no cameras; give a list under cameras:") }
        try Self.check(root, ["cameras", "folder", "hosts", "listen", "mqtt", "webhook"], "the file")
        guard let list = root["cameras"]?.sequence, !list.isEmpty else {
            throw Self.broken("lists no cameras; give a list under cameras:")
        }
        guard list.count <= Self.mostCameras else {
            throw Self.broken("lists \(list.count) cameras; one process can watch at most \(Self.mostCameras)")
        }
        cameras = try list.enumerated().map { try Self.camera($1, "camera \($0 + 1)") }
        for (index, camera) in cameras.enumerated() where cameras[..<index].contains(where: { $0.name == camera.name })
        {
            throw Self.broken("two cameras are named \(camera.name)")
        }
        folder = try Self.text(root, "folder", "the file") ?? "watch"
        listen = try Self.text(root, "listen", "the file").map(Self.place)
        hosts = try root["hosts"].map(Self.names) ?? []
        webhook = try Self.address(root, "webhook", Webhook.Address.init)
        mqtt = try Self.address(root, "mqtt", MQTTAddress.init)
        guard mqtt == nil || !cameras.contains(where: { $0.name == MQTTPublisher.stateName }) else {
            throw Self.broken(
                "a camera cannot be named \(MQTTPublisher.stateName) with mqtt:, which uses that topic itself")
        }
    }

    /// The fault and its place, without the line itself, which may contain a password.
    private static func words(_ error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "line \(mark.line), column \(mark.column): \(problem)"
        case .reader(let problem, _, _, _): problem
        case .duplicatedKeysInMapping: "a key occurs twice"
        default: "it cannot be parsed"
        }
    }

    private static func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what) }

    private static func check(_ mapping: Node.Mapping, _ known: [String], _ place: String) throws {
        for (key, _) in mapping {
            guard let name = key.string, known.contains(name) else {
                let name = PlainText.oneLine(String((key.string ?? "that is not a string").prefix(40)))
                throw broken("\(place) has the unknown key \(name); use one of \(known.joined(separator: ", "))")
            }
        }
    }

    private static func text(_ mapping: Node.Mapping, _ key: String, _ place: String) throws -> String? {
        guard let node = mapping[key] else { return nil }
        guard let text = node.scalar?.string, !text.isEmpty, text.utf8.count <= longest else {
            throw broken("\(key) of \(place) must be a string of 1 to \(longest) bytes")
        }
        return text
    }

    private static func address<Address>(
        _ root: Node.Mapping, _ key: String, _ parse: (String) throws(KinemaError) -> Address
    ) throws -> Address? {
        guard let text = try text(root, key, "the file") else { return nil }
        do throws(KinemaError) {
            return try parse(text)
        } catch {
            throw broken(error.message)
        }
    }

    private static func camera(_ node: Node, _ place: String) throws -> Camera {
        guard let mapping = node.mapping else { throw broken("\(place) must have name:, input: and task:") }
        try check(mapping, ["name", "input", "task", "options"], place)
        guard let name = try text(mapping, "name", place), name.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_-]{0,63}/) != nil
        else {
            throw broken("\(place) needs a name of 1 to 64 letters, digits, _ or -")
        }
        guard let input = try text(mapping, "input", name) else { throw broken("\(name) has no input") }
        guard input != "-" else { throw broken("\(name) cannot be standard input") }
        let word = try text(mapping, "task", name) ?? JobTask.count.rawValue
        guard let task = JobTask(rawValue: word) else {
            let known = JobTask.allCases.map(\.rawValue).joined(separator: ", ")
            throw broken("\(name) has the unknown task \(PlainText.oneLine(word)); use one of \(known)")
        }
        let options = try mapping["options"].map { try Self.options($0, name) } ?? []
        do {
            try task.check(options + ["--format", "jsonl"])
        } catch {
            throw broken("\(name): \(error)")
        }
        return Camera(name: name, input: input, task: task, options: options)
    }

    private static func options(_ node: Node, _ name: String) throws -> [String] {
        guard let list = node.sequence, list.count <= mostOptions else {
            throw broken("options of \(name) must be a list of at most \(mostOptions)")
        }
        return try list.map { option in
            guard let text = option.scalar?.string, text.utf8.count <= longest else {
                throw broken("options of \(name) must be a list of strings")
            }
            guard text != "--format", !text.hasPrefix("--format=") else {
                throw broken("\(name): results are lines of JSON; leave out --format")
            }
            return text
        }
    }

    /// The names of a list such as [gym.example, "gym.example:9464"].
    private static func names(_ node: Node) throws -> [String] {
        let names = node.sequence?.compactMap { $0.scalar?.string } ?? []
        guard !names.isEmpty, names.count == node.sequence?.count, names.count <= mostOptions,
            names.allSatisfy(TextServer.isName)
        else {
            throw broken("hosts must be a list of names, each with or without a port, such as [gym.example]")
        }
        return names
    }

    private static func place(_ text: String) throws -> (host: String, port: Int) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65535).contains(port), colon > text.startIndex
        else {
            throw broken("listen must be a host and a port, such as 127.0.0.1:9464")
        }
        return (String(text[..<colon].filter { $0 != "[" && $0 != "]" }), port)
    }
}
