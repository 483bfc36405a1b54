import Foundation
import Kinema

/// A body in space with the Swift API.
struct Body3D {
    let observation: HumanBodyPose3DObservation

    init?(in image: CGImage) async throws {
        let request = DetectHumanBodyPose3DRequest()
        let handler = ImageRequestHandler(image)
        guard let first = try await handler.perform(request).first else { return nil }
        observation = first
    }

    func joints(for group: HumanBodyPose3DObservation.JointsGroupName) -> [HumanBodyPose3DObservation.JointName:
        Joint3D]
    {
        observation.allJoints(in: group)
    }

    /// The angle at the elbow in space, in degrees.
    func elbowAngle() -> Float? {
        guard let shoulder = observation.joint(for: .leftShoulder), let elbow = observation.joint(for: .leftElbow),
            let wrist = observation.joint(for: .leftWrist)
        else { return nil }
        func place(_ joint: Joint3D) -> SIMD3<Float> {
            let column = joint.position.columns.3
            return SIMD3(column.x, column.y, column.z)
        }
        let (upper, lower) = (place(shoulder) - place(elbow), place(wrist) - place(elbow))
        return acos(simd_dot(simd_normalize(upper), simd_normalize(lower))) * 180 / .pi
    }

    var heightInCentimetres: Double { observation.bodyHeight.converted(to: .centimeters).value }

    var isEstimated: Bool { observation.heightEstimationTechnique == .reference }

    func noseInImage() -> CGPoint { observation.pointInImage(for: .centerHead).cgPoint }
}

/// The height of the head over the hips while a clip is read, with one request for all samples.
func headHeights(in frames: VideoReader.AsyncFrames) async throws -> [(seconds: Double, metres: Float)] {
    let request = DetectHumanBodyPose3DRequest(nil, frameAnalysisSpacing: CMTime(value: 1, timescale: 5))
    var heights: [(seconds: Double, metres: Float)] = []
    for try await sample in frames {
        let time = CMSampleBufferGetPresentationTimeStamp(sample.feature).seconds
        guard let buffer = CMSampleBufferGetImageBuffer(sample.feature), CVPixelBufferGetWidth(buffer) > 0,
            let body = try await request.perform(on: buffer, orientation: nil).first
        else { continue }
        heights.append((time, body.joint(for: .topHead)?.position.columns.3.y ?? 0))
    }
    return heights
}
