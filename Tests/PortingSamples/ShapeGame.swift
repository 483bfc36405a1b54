import Foundation
import Kinema

/// A game of letters made with the body, with Vision's Swift API: joints by group, turned to views' coordinates.
final class ShapeGame {
    enum Letter { case arms, wide }

    private(set) var detected: [HumanBodyPoseObservation.JointName: CGPoint] = [:]

    func process(_ sampleBuffer: CMSampleBuffer) async -> Letter? {
        guard let imageBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return nil }
        let request = DetectHumanBodyPoseRequest()
        do {
            guard let observation = try await request.perform(on: imageBuffer, orientation: .none).first else {
                return nil
            }
            detected = extract(from: observation)
        } catch {
            return nil
        }
        return classify(detected)
    }

    private func extract(from observation: HumanBodyPoseObservation) -> [HumanBodyPoseObservation.JointName: CGPoint] {
        var points: [HumanBodyPoseObservation.JointName: CGPoint] = [:]
        let groups: [HumanBodyPoseObservation.PoseJointsGroupName] = [
            .face, .torso, .leftArm, .rightArm, .leftLeg, .rightLeg,
        ]
        for group in groups {
            for (name, joint) in observation.allJoints(in: group) where joint.confidence > 0.5 {
                points[name] = joint.location.verticallyFlipped().cgPoint
            }
        }
        return points
    }

    private func classify(_ points: [HumanBodyPoseObservation.JointName: CGPoint]) -> Letter? {
        guard let left = points[.leftWrist], let right = points[.rightWrist],
            let leftShoulder = points[.leftShoulder], let rightShoulder = points[.rightShoulder]
        else { return nil }
        // Views count from the top.
        if left.y < leftShoulder.y && right.y < rightShoulder.y { return .arms }
        return abs(left.x - right.x) > 2 * abs(leftShoulder.x - rightShoulder.x) ? .wide : nil
    }
}

/// What a request said about every flight in every frame, in pixels from the upper left.
struct FlightRecord: Codable {
    var frame: Int
    var uuid: String
    var start: Double?
    var duration: Double?
    var radius: Double
    var points: [[Double]]
    var coefficients: [Float]
}

/// Every observation of a video's flights, with one request for all its frames.
func flightRecords(
    in frames: some AsyncSequence<CMSampleBuffer, any Error>, imageSize: CGSize, region: [Double]? = nil
) async throws -> [FlightRecord] {
    let request = DetectTrajectoriesRequest(trajectoryLength: 10)
    request.objectMinimumNormalizedRadius = 0.001
    request.objectMaximumNormalizedRadius = 0.06
    if let region, region.count == 4 {
        request.regionOfInterest = NormalizedRect(
            x: region[0], y: 1 - region[1] - region[3], width: region[2], height: region[3])
    }
    var records: [FlightRecord] = []
    var index = 0
    for try await sample in frames {
        let observations: [TrajectoryObservation] = try await request.perform(on: sample)
        for o in observations where o.confidence > 0.9 {
            let pixels = o.detectedPoints.map { $0.toImageCoordinates(imageSize, origin: .upperLeft) }
            records.append(
                FlightRecord(
                    frame: index, uuid: o.uuid.uuidString, start: o.timeRange?.start.seconds,
                    duration: o.timeRange?.duration.seconds,
                    radius: Double(o.movingAverageRadius) * Double(imageSize.width),
                    points: pixels.map { [Double($0.x), Double($0.y)] },
                    coefficients: [o.equationCoefficients.x, o.equationCoefficients.y, o.equationCoefficients.z]))
        }
        index += 1
    }
    return records
}
