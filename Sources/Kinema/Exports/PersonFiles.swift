import Foundation
import KinemaCore

/// Files with one person each; with several, the names contain the number of the person and of the part.
struct PersonFiles {
    let url: URL
    var diagnostics: DiagnosticCollector?

    /// Writes one file per track, all or none; `text` makes its content from person, track and file name.
    func write(
        _ people: [(id: Int, tracks: [ResampledTrack])], text: (Int, ResampledTrack, String) -> String
    ) throws {
        var written: [URL] = []
        let stem = url.deletingPathExtension().lastPathComponent
        for (id, tracks) in people {
            let person = people.count == 1 ? stem : "\(stem)_person\(id)"
            for (part, track) in tracks.enumerated() {
                let name = tracks.count == 1 ? person : "\(person)_part\(part + 1)"
                let file =
                    name == stem ? url : url.deletingLastPathComponent().appending(path: "\(name).\(url.pathExtension)")
                do {
                    try AtomicFile.write(Array(text(id, track, file.lastPathComponent).utf8), to: file)
                } catch {
                    AtomicFile.remove(written)
                    throw error
                }
                written.append(file)
            }
            if tracks.count > 1 {
                let away =
                    zip(tracks, tracks.dropFirst()).map { ($1.times.first ?? 0) - ($0.times.last ?? 0) }.max() ?? 0
                diagnostics?.report(
                    Diagnostic(
                        "export.parts",
                        "person \(id) was away for up to \(String(format: "%.0f", away)) s, so the track is split into "
                            + "\(tracks.count) files from \(person)_part1.\(url.pathExtension) on", file: url.path))
            }
        }
    }
}
