import Foundation
import Testing
import KinemaTestSupport
import Testing

/// Programs of others that read exports: `script/readers` installs them, `script/bootstrap --tests` calls it.
enum Readers {
    private static let folder: URL = {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["KINEMA_READERS"] { return URL(filePath: folder) }
        let home = environment["KINEMA_HOME"].map { URL(filePath: $0) } ?? SharedData.package.appending(path: ".kinema")
        return home.appending(path: "readers")
    }()

    static var areInstalled: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "complete").path)
    }

    /// Has files read and gives what the reader found.
    static func read<Found: Decodable>(_ found: Found.Type, _ words: [String]) async throws -> Found {
        let script = SharedData.package.appending(path: "script/measure/exports.py").path
        let running = try RunningProgram(
            folder.appending(path: "bin/python"), [script] + words, environment: [:], folder: nil)
        let outcome = try await running.outcome()
        guard outcome.status == 0 else { throw MissingPart(reason: outcome.complaint) }
        return try JSONDecoder().decode(found, from: outcome.output)
    }
}
