import Foundation
import Kinema

/// Bodies and hands in one picture, by one handler, as code for Vision asks for them.
func bodiesAndHands(in picture: Data, orientation: CGImagePropertyOrientation? = nil) async throws -> (
    [HumanBodyPoseObservation], [HumanHandPoseObservation]
) {
    let handler = ImageRequestHandler(picture, orientation: orientation)
    return try await handler.perform(DetectHumanBodyPoseRequest(), DetectHumanHandPoseRequest())
}

/// Poses of a hand put aside one by one, then as one window for a classifier.
struct StoredHandPoses {
    private(set) var poses: [Pose] = []
    private var arrays: [MLMultiArray] = []

    mutating func store(_ observation: HumanHandPoseObservation) throws {
        poses.append(try Pose(observation))
        arrays.append(try observation.keypoints)
    }

    func window() -> MLMultiArray {
        MLMultiArray(concatenating: arrays, axis: 0, dataType: .double)
    }
}
