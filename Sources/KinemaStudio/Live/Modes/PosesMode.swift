import Kinema
import KinemaVision

/// Shows bodies, and hands when asked.
struct PosesMode: LiveMode {
    let pipeline: PosePipeline

    init(_ request: StartRequest, precision: ModelStore.Precision) {
        var pipeline = PosePipeline.live(people: request.people ?? .all, precision: precision)
        if request.hands == true { pipeline.hands = HandPoseOptions(precision: precision) }
        self.pipeline = pipeline
    }

    func take(_ seen: PosedFrame) -> [LiveEvent] { [] }
}
