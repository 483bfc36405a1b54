import Foundation

/// One parser with the inputs to begin from.
struct Harness: Sendable {
    /// The name in `KINEMA_FUZZ`, and of the folder of its seeds.
    let name: String
    /// The longest input in bytes.
    var maximumLength = 4096
    /// Inputs that the parser accepts, and typical ones that it refuses.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Parses an input and uses what comes of it; must neither crash nor take long, whatever it is.
    let body: @Sendable ([UInt8]) -> Void

    /// All, in the order of the table that `script/fuzz` prints.
    static let all: [Harness] =
        [frames, messages, sockets, requests, addresses, signatures]
        + [poseLines, poseTables, poseArrays, poseLists, gzip, poseFiles]
        + [
            classifiers, networks, tfliteFiles, modelDescriptions, exerciseFiles, archives, labelTables, trackTruths,
            manifests,
            jobs,
        ]
        + [pictures, jpegs, arguments, values, texts, histories, zips, imports]

    /// The one that the environment names.
    static let chosen = ProcessInfo.processInfo.environment["KINEMA_FUZZ"].flatMap { name in
        all.first { $0.name == name }
    }

    /// Ends the process, which libFuzzer takes for a finding, unless what must hold holds.
    static func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
        guard !holds else { return }
        FileHandle.standardError.write(Data("broken: \(what())\n".utf8))
        abort()
    }

    /// A file of this process in the folder for temporary files, which has the bytes of each input in turn.
    static func file(_ name: String, _ bytes: [UInt8]) -> URL {
        let url = folder.appending(path: name)
        guard (try? Data(bytes).write(to: url)) != nil else { preconditionFailure("\(url.path) cannot be written") }
        return url
    }

    /// A folder of this process's own.
    static let folder: URL = {
        let url = FileManager.default.temporaryDirectory.appending(path: "kinema-fuzz-\(getpid())")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }()

    /// A text as bytes.
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
