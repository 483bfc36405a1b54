public import KinemaDraw

/// One capability of Kinema, run frame by frame: a configuration and frames in, events and a result out.
///
/// It uses no files and no clock. Give it frames from `pipeline` in time order, then call `finish()`.
public protocol Analysis: Sendable {
    /// The findings of the analysis, in the form written to files.
    associatedtype Result: AnalysisResult

    /// The pipeline that finds people and hands in the frames.
    var pipeline: PosePipeline { get }
    /// Takes the next frame and returns the events that became certain; throws `.missingComponent` without a model.
    mutating func take(_ frame: PosedFrame) throws -> [AnalysisEvent]
    /// Ends the stream and returns the remaining events.
    mutating func finish() -> [AnalysisEvent]
    /// The result so far.
    var result: Result { get }
    /// The layers to draw on the newest frame, bottom first.
    var layers: [OverlayLayer] { get }
    /// The result so far in a few words, for a progress bar.
    var summary: String { get }
    /// The seconds that a person or a hand must be in view before anything can be found.
    var neededSeconds: Double { get }
}

extension Analysis {
    /// 0: a single frame is enough.
    public var neededSeconds: Double { 0 }
}
