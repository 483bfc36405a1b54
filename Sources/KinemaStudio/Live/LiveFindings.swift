import Kinema
import KinemaDraw

struct LiveFindings: Sendable {
    var poses: [Pose] = []
    var hands: [HumanHandPoseObservation] = []
    /// The joints at fault, by the person's number.
    var faults: [Int: Set<JointKey>] = [:]
    var events: [AnalysisEvent] = []
    /// The overlay, bottom first.
    var layers: [OverlayLayer] = []
    var state: SessionState?
}
