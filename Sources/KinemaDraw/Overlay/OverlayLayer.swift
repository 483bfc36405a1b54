public import KinemaCore

/// A layer drawn on a frame.
public enum OverlayLayer: Sendable {
    /// Body skeletons; `faults` holds the joints to draw in red, by person number.
    case skeletons([Pose], faults: [Int: Set<JointKey>] = [:])
    /// Rings around joints, by person number.
    case joints([Pose], marked: [Int: Set<JointKey>])
    /// Positions and angles of joints, and the rate of the analysis.
    case readout(JointReadout)
    /// Measured angles, the floor and the contacts of the feet.
    case measure(MeasureOverlay)
    /// Hand skeletons.
    case hands([Pose])
    /// Strokes drawn in the air.
    case drawing(GestureOverlay)
    /// Trajectories of flying objects.
    case trajectories(TrajectoryOverlay)
    /// A game of bean-bag toss.
    case toss(TossOverlay)
    /// The movement of the last seconds, along the lower edge.
    case strip(StripChart)
    /// A count and short lines of text.
    case hud(HUD)

    /// The layer without facial joints, which look like faces themselves; no `default`, so that each new layer decides.
    package var withoutFaces: OverlayLayer {
        switch self {
        case .skeletons(let poses, let faults): .skeletons(poses.map(\.withoutFace), faults: faults)
        case .joints(let poses, let marked): .joints(poses.map(\.withoutFace), marked: marked)
        case .readout(let readout): .readout(readout.withoutFaces)
        case .measure, .hands, .drawing, .trajectories, .toss, .strip, .hud: self
        }
    }
}

extension [OverlayLayer] {
    /// The layers with people and hands elsewhere, as in a frame that was not analysed.
    package func showing(_ people: [Pose], hands: [Pose]) -> [OverlayLayer] {
        map { layer in
            switch layer {
            case .skeletons(_, let faults): .skeletons(people, faults: faults)
            case .joints(_, let marked): .joints(people, marked: marked)
            case .hands: .hands(hands)
            case .readout, .measure, .drawing, .trajectories, .toss, .strip, .hud: layer
            }
        }
    }
}

extension Pose {
    /// The pose without its facial joints.
    var withoutFace: Pose {
        var pose = self
        for key in Skeleton.face { pose.keypoints[key] = nil }
        return pose
    }
}
