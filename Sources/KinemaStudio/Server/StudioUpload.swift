package import Foundation
import KinemaCore

/// An uploaded video and the files made from it.
package struct StudioUpload: Sendable, Equatable {
    package let id: String
    /// The client's name for it, never a path.
    package let name: String
    let folder: URL

    package var video: URL { folder.appending(path: "video") }
    package var overlay: URL { folder.appending(path: "overlay.mp4") }
    /// The video with the hidden parts removed, for the history.
    package var hidden: URL { folder.appending(path: "hidden.mp4") }
    package var poses: URL { folder.appending(path: "poses.jsonl") }

    var lastWrite: Date? {
        [video, overlay, poses].compactMap {
            try? FileManager.default.attributesOfItem(atPath: $0.path)[.modificationDate] as? Date
        }.max()
    }

    /// The last part of a path without invisible and control characters.
    static func displayName(_ text: String) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let plain = last.unicodeScalars.filter { !$0.properties.isControlOrFormat }
        let name = PlainText.prefix(
            String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespaces), bytes: PlainText.nameBytes)
        return name.isEmpty || name == "." || name == ".." ? "video" : name
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControlOrFormat: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
