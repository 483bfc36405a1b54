package import Foundation
import KinemaCore

/// A video that a client uploaded, and where what is made of it is put.
package struct StudioUpload: Sendable, Equatable {
    /// Nobody can guess it.
    package let id: String
    /// What the client called it; for people, never a path.
    package let name: String
    /// The folder of this upload alone.
    let folder: URL

    /// The video.
    package var video: URL { folder.appending(path: "video") }
    /// The overlay video, once made.
    package var overlay: URL { folder.appending(path: "overlay.mp4") }
    /// The poses in Kinema's JSON Lines, once found.
    package var poses: URL { folder.appending(path: "poses.jsonl") }

    /// When something was last written here.
    var lastWrite: Date? {
        [video, overlay, poses].compactMap {
            try? FileManager.default.attributesOfItem(atPath: $0.path)[.modificationDate] as? Date
        }.max()
    }

    /// A name as it is shown: the last part of a path, without what could move a cursor.
    static func displayName(_ text: String) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let plain = last.unicodeScalars.filter { !$0.properties.isControlOrFormat }
        let name = PlainText.prefix(
            String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespaces), bytes: PlainText.nameBytes)
        return name.isEmpty || name == "." || name == ".." ? "video" : name
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it shows nothing, or turns what is around it.
    fileprivate var isControlOrFormat: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
