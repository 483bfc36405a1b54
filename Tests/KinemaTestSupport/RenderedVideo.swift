package import Foundation
import KinemaMedia
package import KinemaSynth

/// Videos of scenes, each rendered once on a machine: they stay in `cache/rendered` of `KINEMA_HOME`, by the sources that
/// render and by the scene.
package enum RenderedVideo {
    /// Writes the scene as a video, and its truth if wanted.
    package static func write(_ scene: SynthScene, to url: URL, truth: URL? = nil) throws {
        if let truth { try SynthWriter.write(scene.truth(), to: truth) }
        var words = ""
        dump(scene, to: &words)
        // Names of private types tell where they lie in memory.
        words.replace(/\(unknown context at \$[0-9a-f]+\)/, with: "")
        let clip = try place(of: "\(ContentDigest.sha256(of: Array(words.utf8)).prefix(24)).mp4")
        if !FileManager.default.fileExists(atPath: clip.path) {
            let unfinished = clip.deletingLastPathComponent().appending(path: "\(UUID().uuidString).mp4")
            try SynthWriter.write(scene, to: unfinished)
            try keep(unfinished, at: clip)
        }
        try? FileManager.default.removeItem(at: url)
        try FileManager.default.copyItem(at: clip, to: url)
    }

    /// Where what these sources make lies, or is to be put.
    package static func place(of name: String) throws -> URL { try folder.get().appending(path: name) }

    /// Moves a finished file or folder to its place; another process may have been sooner with the same.
    package static func keep(_ made: URL, at place: URL) throws {
        guard rename(made.path, place.path) != 0 else { return }
        try FileManager.default.removeItem(at: made)
        guard FileManager.default.fileExists(atPath: place.path) else {
            throw MissingPart(reason: "\(place.path) cannot be written")
        }
    }

    /// The folder of these sources.
    private static let folder = Result {
        let home =
            ProcessInfo.processInfo.environment["KINEMA_HOME"].map { URL(filePath: $0) }
            ?? SharedData.package.appending(path: ".kinema")
        let folder = home.appending(path: "cache/rendered/\(try sources().prefix(24))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The digest of all sources that a rendered video depends on.
    private static func sources() throws -> String {
        var digests: [String] = []
        for name in ["KinemaCore", "KinemaDraw", "KinemaMedia", "KinemaSynth"] {
            let target = SharedData.package.appending(path: "Sources/\(name)")
            for path in (FileManager.default.subpaths(atPath: target.path) ?? []).sorted()
            where path.hasSuffix(".swift") {
                digests.append(path + (try ContentDigest.sha256(contentsOf: target.appending(path: path))))
            }
        }
        return ContentDigest.sha256(of: Array(digests.joined(separator: "\n").utf8))
    }
}
