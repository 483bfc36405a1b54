import KinemaCore
import KinemaDraw
import KinemaMedia

/// What a frame showed.
struct LiveFindings: Sendable {
    var poses: [Pose] = []
    var hands: [HumanHandPoseObservation] = []
    /// The joints at fault, by the person's number.
    var faults: [Int: Set<JointKey>] = [:]
    var events: [LiveEvent] = []
    /// What is drawn on the frame, bottom first.
    var layers: [OverlayLayer] = []
    /// The state by what this frame and those before showed; nil while that is open.
    var state: SessionState?
}

/// Makes results of frames, one after the other.
protocol FrameAnalysing: Sendable {
    /// Takes the next frame; throws when a model is missing or fails.
    mutating func take(_ frame: VideoFrame) async throws -> LiveFindings

    /// Does what had time until the frame's result was on its way.
    mutating func catchUp() async throws

    /// Does to the drawing what the client wants.
    mutating func obey(_ command: DrawingCommand)

    /// Ends the stream; tells what became certain by that.
    mutating func finish() -> [LiveEvent]

    /// Writes the mode's own part of a result; what changed since the last one counts as told.
    mutating func write(to json: inout JSONText)

    /// Enters what came of it all.
    func summarise(_ session: inout KeptSession)
}
