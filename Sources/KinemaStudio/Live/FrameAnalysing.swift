import Kinema
import KinemaMedia

protocol FrameAnalysing: Sendable {
    mutating func take(_ frame: VideoFrame) throws -> LiveFindings

    /// Takes the next frame of an upload, whose poses its pipeline has found.
    mutating func take(_ seen: PosedFrame) throws -> LiveFindings

    /// Does the work that can wait until the frame's result is sent.
    mutating func catchUp() throws

    mutating func apply(_ command: DrawingCommand)

    /// Ends the stream and returns the remaining events.
    mutating func finish() -> [AnalysisEvent]

    mutating func write(to json: inout JSONText)

    func summarise(_ session: inout StoredSession)

    /// The frames of an upload that it needs.
    var neededFrames: FrameSelection { get }

    /// The pipeline that detects the poses in an upload; nil to get only the frames.
    mutating func pipeline(for upload: VideoReader.AsyncFrames) async throws -> PosePipeline?

    /// The advice for a crowd that the model cannot handle; nil without one.
    var crowdNote: String? { get }
}

extension FrameAnalysing {
    mutating func take(_ seen: PosedFrame) throws -> LiveFindings { try take(seen.frame) }
    mutating func pipeline(for upload: VideoReader.AsyncFrames) async throws -> PosePipeline? { nil }
    var neededFrames: FrameSelection { .all }
    var crowdNote: String? { nil }
}
