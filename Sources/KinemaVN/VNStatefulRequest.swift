public import KinemaCore

/// A request that gathers evidence over the frames of one stream.
public class VNStatefulRequest: VNImageBasedRequest {
    /// The minimum time between analysed frames.
    public let frameAnalysisSpacing: CMTime

    /// Creates a request that skips frames that follow sooner than the spacing.
    public init(frameAnalysisSpacing: CMTime, completionHandler: VNRequestCompletionHandler? = nil) {
        self.frameAnalysisSpacing = frameAnalysisSpacing
        super.init(completionHandler: completionHandler)
    }

    /// The number of frames before the first observation.
    public var minimumLatencyFrameCount: Int { 1 }
}
