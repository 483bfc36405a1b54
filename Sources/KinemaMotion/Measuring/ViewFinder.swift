import KinemaCore

/// Finds the view of a person: by depth if the poses have it, otherwise by the width of shoulders and hips.
enum ViewFinder {
    /// The sine of the turn from the front: within 30 degrees of the side view and of the front view.
    private static let sideways = (side: 0.866, front: 0.5)
    /// The same for a person who crosses the picture by a leg's length: the path itself indicates a side view.
    private static let crossing = 0.6
    /// The mean of the shoulders' and the hips' width as a share of the trunk, at 30 degrees from the side view and from
    /// the front view: widths of 0.212 and 0.116, a trunk of 0.288 body heights (Drillis and Contini).
    private static let width = (side: 0.28, front: 0.49)

    /// The usual view of a track; nil without shoulders and hips.
    static func view(_ track: MeasuredTrack) -> MeasureView? {
        let depths = track.sideways.filter(\.isFinite)
        if depths.count * 2 > track.count {
            let turn = depths.median
            return turn > (crosses(track) ? crossing : sideways.side)
                ? .side : turn < sideways.front ? .front : .oblique
        }
        let widths = (0..<track.count).compactMap { index -> Double? in
            guard let shoulders = track.distance(.leftShoulder, .rightShoulder, index),
                let hips = track.distance(.leftHip, .rightHip, index),
                let trunk = track.distance(.neck, .root, index), trunk > 0
            else { return nil }
            return (shoulders + hips) / 2 / trunk
        }
        guard !widths.isEmpty else { return nil }
        let share = widths.median
        return share < width.side ? .side : share > width.front ? .front : .oblique
    }

    private static func crosses(_ track: MeasuredTrack) -> Bool {
        guard let root = track.paths[.root]?.x.filter(\.isFinite), let first = root.first, let last = root.last,
            let leg = FloorFinder(track).leg
        else { return false }
        return abs(last - first) > leg
    }
}
