import Foundation
import Kinema
import KinemaCore

struct PinchLabel: Sendable {
    var file: String
    var path: String
    /// The times at which the tips touch, in order.
    var pinches: [ClosedRange<TimeInterval>]

    /// Reads the table; throws `unreadableInput` if something is missing.
    static func read(_ url: URL, folder: URL?) throws -> [PinchLabel] {
        let table = try DelimitedTable(contentsOf: url, remedy: "give a table of pinches")
        for column in ["file", "closed", "apart"] where !table.header.contains(column) {
            throw KinemaError(.unreadableInput, "has no column \(column)", file: url.path)
        }
        var clips: [PinchLabel] = []
        for (index, row) in table.rows.enumerated() {
            guard let file = row["file"], !file.isEmpty else {
                throw KinemaError(.unreadableInput, "row \(index + 1) has no file", file: url.path)
            }
            if clips.last?.file != file {
                let place = (folder ?? url.deletingLastPathComponent()).appending(path: file)
                clips.append(PinchLabel(file: file, path: place.path, pinches: []))
            }
            guard let closed = row["closed"], !closed.isEmpty else { continue }
            guard let start = Double(closed), let end = row["apart"].flatMap({ Double($0) }), start <= end else {
                throw KinemaError(.unreadableInput, "row \(index + 1) has no times in seconds", file: url.path)
            }
            clips[clips.count - 1].pinches.append(start...end)
        }
        guard !clips.isEmpty else { throw KinemaError(.unreadableInput, "lists no clip", file: url.path) }
        return clips
    }
}
