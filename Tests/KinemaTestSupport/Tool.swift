package import Foundation

/// Programs that tests run.
package enum Tool {
    /// Runs ffmpeg with these words and the output file's name at the end.
    package static func ffmpeg(_ words: String, _ output: URL) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let words = words.split(separator: " ").map(String.init)
        process.arguments = ["ffmpeg", "-nostdin", "-v", "error", "-y"] + words + [output.path]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: return
        case 127: throw MissingPart(reason: "ffmpeg is not installed; run script/bootstrap")
        default: throw MissingPart(reason: "ffmpeg \(words.joined(separator: " ")) failed")
        }
    }
}

/// What a test needs and does not find, with the command that mends it.
package struct MissingPart: Error, CustomStringConvertible {
    package var reason: String

    package init(reason: String) { self.reason = reason }

    package var description: String { reason }
}
