package enum SessionFormat: String, Sendable, CaseIterable {
    /// The session as Documentation/studio.md describes it.
    case json
    /// One line for each event, correction and mark.
    case jsonl
    case csv
    case svg, png
    /// The stored poses in Kinema's formats.
    case poseLines = "poses.jsonl", poseTable = "poses.csv"
    /// The stored poses for other programs.
    case trc, mot, coco = "coco.json", openpose = "openpose.zip"
    /// Corrections or marks as a table for `kinema evaluate count` or `kinema train`; all tables with the poses.
    case labels = "labels.csv", labelArchive = "labels.zip"

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
}
