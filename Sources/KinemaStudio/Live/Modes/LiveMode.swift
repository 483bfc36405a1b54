import Kinema
import KinemaCore
import KinemaMedia
import KinemaVision

/// What a mode makes of the people in a frame: a rule without clock, input or output.
protocol LiveMode: Sendable {
    /// How people are looked for.
    var pipeline: PosePipeline { get }
    /// What the picture has to show.
    var wish: FramingJudge.Wish { get }
    /// The mode's own state; nil where only the framing tells.
    var state: SessionState? { get }
    /// The joints to show red, by the person's number.
    var faults: [Int: Set<JointKey>] { get }

    /// Takes the next frame with everyone in it.
    mutating func take(_ seen: PosedFrame) async throws -> [LiveEvent]
    /// Does to the drawing what the client wants.
    mutating func obey(_ command: DrawingCommand)
    /// Ends the stream.
    mutating func finish() -> [LiveEvent]
    /// Writes the mode's own member of a result; what changed since the last one counts as told.
    mutating func write(to json: inout JSONText)
    /// Enters what came of it all.
    func summarise(_ session: inout KeptSession)
}

extension LiveMode {
    var wish: FramingJudge.Wish { .somebody }
    var state: SessionState? { nil }
    var faults: [Int: Set<JointKey>] { [:] }
    mutating func obey(_ command: DrawingCommand) {}
    mutating func finish() -> [LiveEvent] { [] }
    mutating func write(to json: inout JSONText) {}
    func summarise(_ session: inout KeptSession) {}
}

extension PosePipeline {
    /// Bodies of a live stream: no frame waits for the next.
    static func live(people: StartRequest.People, precision: ModelStore.Precision) -> PosePipeline {
        // Each person costs an inference in every frame; one who is to be told from those around needs few of them.
        let options = BodyPoseOptions(maximumPeople: people == .all ? 8 : 3, precision: precision)
        return PosePipeline(options: options, readsAhead: false)
    }
}
