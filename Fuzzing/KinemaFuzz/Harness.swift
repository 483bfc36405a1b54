import Foundation

/// One parser with its seed inputs.
struct Harness: Sendable {
    /// The name in `KINEMA_FUZZ`, and of the folder of the seeds.
    let name: String
    /// The longest input in bytes.
    var maximumLength = 4096
    /// Inputs that the parser accepts, and typical ones that it rejects.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Parses an input and uses the result; must neither crash nor take long, whatever the input.
    let body: @Sendable ([UInt8]) -> Void

    /// All harnesses, in the order of the table that `script/fuzz` prints.
    static let all: [Harness] =
        [frames, messages, sockets, requests, addresses, signatures]
        + [poseLines, poseTables, poseArrays, poseLists, gzip, poseFiles]
        + [
            classifiers, networks, tfliteFiles, modelDescriptions, exerciseFiles, archives, labelTables, trackTruths,
            manifests,
            jobs,
        ]
        + [pictures, jpegs, arguments, values, texts, histories, zips, imports]

    /// The harness named by the environment.
    static let chosen = ProcessInfo.processInfo.environment["KINEMA_FUZZ"].flatMap { name in
        all.first { $0.name == name }
    }

    /// Ends the process if a condition does not hold, which libFuzzer reports as a finding.
    static func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
        guard !holds else { return }
        FileHandle.standardError.write(Data("broken: \(what())\n".utf8))
        abort()
    }

    /// A file in this process's temporary folder; each input overwrites it with its bytes.
    static func file(_ name: String, _ bytes: [UInt8]) -> URL {
        let url = folder.appending(path: name)
        guard (try? Data(bytes).write(to: url)) != nil else { preconditionFailure("\(url.path) cannot be written") }
        return url
    }

    /// A folder of this process.
    static let folder: URL = {
        let url = FileManager.default.temporaryDirectory.appending(path: "kinema-fuzz-\(getpid())")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }()

    /// A text as bytes.
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
