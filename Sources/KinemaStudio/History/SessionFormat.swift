/// How a kept session leaves the history.
package enum SessionFormat: String, Sendable, CaseIterable {
    /// The session as Documentation/studio.md lays it out.
    case json
    /// One line for each repetition, throw, pinch and segment.
    case jsonl
    /// The same as a table.
    case csv
    /// A chart of it.
    case svg, png
    /// The kept poses as Kinema's own lines and table.
    case poseLines = "poses.jsonl", poseTable = "poses.csv"
    /// The kept poses for other programs.
    case trc, mot, coco = "coco.json", openpose = "openpose.zip"

    /// Takes the names above, and `coco` and `openpose` alone.
    package init?(argument: String) {
        switch argument.lowercased() {
        case "coco": self = .coco
        case "openpose": self = .openpose
        case let name:
            guard let format = Self(rawValue: name) else { return nil }
            self = format
        }
    }

    /// Whether it is made of kept poses.
    package var needsPoses: Bool {
        switch self {
        case .json, .jsonl, .csv, .svg, .png: false
        case .poseLines, .poseTable, .trc, .mot, .coco, .openpose: true
        }
    }
}
