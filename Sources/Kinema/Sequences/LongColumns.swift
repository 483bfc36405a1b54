import KinemaCore

/// The columns of a table with a row for each joint: `frame`, `landmark`, `x`, `y`, perhaps others.
struct LongColumns {
    private(set) var joint = 0
    private(set) var (x, y) = (0, 0)
    private(set) var confidence: Int?
    /// The columns with the frame, time and person of a row.
    let others: PoseColumns.Others

    private static let joints: Set<String> = [
        "landmark", "joint", "keypoint", "landmarkname", "jointname", "keypointname", "landmarkid", "jointid",
        "keypointid", "landmarkindex", "jointindex", "keypointindex", "bodypart", "part", "name", "landmarkidx",
        "jointidx", "keypointidx", "lm", "kp", "marker", "point", "type", "label", "landmarktype",
    ]
    private static let places: [String: PoseColumns.Role] = [
        "xpx": .x, "ypx": .y, "xpixel": .x, "ypixel": .y, "posx": .x, "posy": .y, "xcoord": .x, "ycoord": .y,
        "positionx": .x, "positiony": .y, "coordx": .x, "coordy": .y, "xnorm": .x, "ynorm": .y,
    ]

    /// The columns of these names; nil unless they are those of such a table.
    init?(_ names: [String]) {
        let small = names.map { $0.lowercased().filter(\.isLetter) }
        let roles = small.map { PoseColumns.roles[$0] ?? Self.places[$0] }
        // Of several candidates, the first in the list above: `label` may hold the exercise.
        let candidates = small.indices.filter { Self.joints.contains(small[$0]) }
        let best = candidates.first { small[$0] != "label" && small[$0] != "type" && small[$0] != "name" }
        guard let joint = best ?? candidates.first, let x = roles.firstIndex(of: .x), let y = roles.firstIndex(of: .y)
        else { return nil }
        (self.joint, self.x, self.y, confidence) = (joint, x, y, roles.firstIndex(of: .confidence))
        var others = PoseColumns.Others()
        for column in names.indices where ![joint, x, y, confidence].contains(column) {
            others.set(names[column], column)
        }
        self.others = others
    }

    /// Whether a column of this name says which joint or where it is.
    static func isColumn(_ name: String) -> Bool {
        let small = name.lowercased().filter(\.isLetter)
        return joints.contains(small) || PoseColumns.roles[small] != nil || places[small] != nil
    }

    static func joint(_ cell: String) -> PoseColumns.Joint? {
        if let number = Int(cell) { return .numbered(number) }
        // As Python writes a member of an enumeration: PoseLandmark.LEFT_HIP.
        let bare = PoseColumns.words(cell).filter { !PoseColumns.fillers.contains($0) }
        if bare.count == 1, let number = Int(bare[0]) { return .numbered(number) }
        return JointNames.joint(bare.joined()).map { .named($0) }
    }
}
