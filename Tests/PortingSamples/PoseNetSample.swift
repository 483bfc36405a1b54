import Foundation
import Kinema
import KinemaDraw

/// The steps of the PoseNet sample, from a model's file to poses.
struct PoseNet {
    let model: PoseNetModel

    init(contentsOf file: URL) throws {
        model = try PoseNetModel(contentsOf: file)
    }

    func predict(_ image: VideoFrame) throws -> PoseNetOutput {
        let input = PoseNetInput(image: image, size: model.modelInputSize)
        let prediction = try model.prediction(from: input)
        return try PoseNetOutput(
            prediction: prediction, modelInputSize: model.modelInputSize, modelOutputStride: model.outputStride)
    }

    func poses(in image: VideoFrame, configuration: PoseBuilderConfiguration) throws -> [Pose] {
        let builder = try PoseBuilder(output: predict(image), configuration: configuration, inputImage: image)
        return configuration.algorithm == .single ? [builder.pose] : builder.poses
    }
}

/// The sample's view: segments between joints, drawn where both were found.
struct PoseImage {
    struct JointSegment {
        let jointA: JointKey
        let jointB: JointKey
    }

    static let jointSegments = [
        JointSegment(jointA: .leftHip, jointB: .leftShoulder), JointSegment(jointA: .leftShoulder, jointB: .leftElbow),
        JointSegment(jointA: .leftElbow, jointB: .leftWrist), JointSegment(jointA: .leftHip, jointB: .leftKnee),
        JointSegment(jointA: .leftKnee, jointB: .leftAnkle), JointSegment(jointA: .rightHip, jointB: .rightShoulder),
        JointSegment(jointA: .rightShoulder, jointB: .rightElbow),
        JointSegment(jointA: .rightElbow, jointB: .rightWrist),
        JointSegment(jointA: .rightHip, jointB: .rightKnee), JointSegment(jointA: .rightKnee, jointB: .rightAnkle),
        JointSegment(jointA: .leftShoulder, jointB: .rightShoulder), JointSegment(jointA: .leftHip, jointB: .rightHip),
    ]

    func segments(of pose: Pose) -> [(CGPoint, CGPoint)] {
        Self.jointSegments.compactMap { segment in
            let jointA = pose[segment.jointA]
            let jointB = pose[segment.jointB]
            guard jointA.isValid, jointB.isValid else { return nil }
            return (jointA.location, jointB.location)
        }
    }

    /// The mean over all of PoseNet's joints, as the sample computes a pose's confidence.
    func confidence(of pose: Pose) -> Double {
        pose.joints.values.map { $0.confidence }.reduce(0, +) / Double(Joint.numberOfJoints)
    }

    /// Where the sample draws a circle: at every valid joint, in pixels of the image.
    func circles(of pose: Pose) -> [CGPoint] {
        pose.joints.values.filter { $0.isValid }.map { $0.position }
    }

    /// The picture with the pose on it.
    func image(_ frame: VideoFrame, _ poses: [Pose]) throws -> Bitmap {
        var image = try frame.bitmap()
        try image.draw { canvas in
            for pose in poses { pose.drawWireframe(to: canvas) }
        }
        return image
    }
}
