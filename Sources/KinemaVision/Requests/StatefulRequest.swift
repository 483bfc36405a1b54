public import Foundation

/// A request that remembers earlier frames: make one for a stream and give it the frames in order.
public protocol StatefulRequest: ImageProcessingRequest {
    /// Frames that follow the last analysed one by less are passed over, seconds by their own time stamps.
    var frameAnalysisSpacing: TimeInterval { get }

    /// How many frames have to be seen before the first answer can come.
    var minimumLatencyFrameCount: Int { get }
}
