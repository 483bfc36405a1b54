import Foundation
import Kinema
import KinemaDraw

struct PosesMode: LiveMode {
    var analysis: PoseAnalysis
    let subject: FramingCheck.Subject

    init(_ request: StartRequest, precision: ModelStore.Precision) {
        var pipeline = PosePipeline.live(people: request.people ?? .all, precision: precision)
        if request.hands == true { pipeline.hands = HandPoseOptions(precision: precision) }
        analysis = PoseAnalysis(pipeline: pipeline)
        subject = request.wholeBody == true ? .wholeBody : .somebody
    }
}
