import Foundation
import Kinema

/// Bodies and hands in one picture, by one handler, as code for Vision asks for them.
func bodiesAndHands(in picture: Data, orientation: CGImagePropertyOrientation? = nil) async throws -> (
    [HumanBodyPoseObservation], [HumanHandPoseObservation]
) {
    let handler = ImageRequestHandler(picture, orientation: orientation)
    return try await handler.perform(DetectHumanBodyPoseRequest(), DetectHumanHandPoseRequest())
}

/// Any number of requests about one picture, as code for Vision lists them: how much each found.
func findings(in picture: Data, _ requests: [any VisionRequest]) async -> [String: Int] {
    let handler = ImageRequestHandler(picture)
    var found: [String: Int] = [:]
    for await result in handler.performAll(requests) {
        switch result {
        case .detectHumanBodyPose(_, let bodies):
            found["bodies"] = bodies.count {
                $0.originatingRequestDescriptor == .detectHumanBodyPoseRequest(.revision2)
            }
        case .detectHumanRectangles(let request, let people):
            found["rectangles of \(request.upperBodyOnly ? "trunks" : "people")"] = people.count
        case .detectContours(_, let contours):
            found["contours"] = contours.contourCount
        case .error(let request, let error):
            found["\(request.descriptor): \(error)"] = 0
        default:
            break
        }
    }
    return found
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
