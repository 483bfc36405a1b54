/// COCO's 17 joints in its order, with the deviations of its annotations.
package enum COCOJoints {
    /// The standard deviation of each joint's annotations, as a share of the square root of the person's area
    /// (cocodataset.org, keypoint evaluation): the unit of object keypoint similarity (OKS).
    package static let deviations: [(joint: JointKey, deviation: Double)] = [
        (.nose, 0.026), (.leftEye, 0.025), (.rightEye, 0.025), (.leftEar, 0.035), (.rightEar, 0.035),
        (.leftShoulder, 0.079), (.rightShoulder, 0.079), (.leftElbow, 0.072), (.rightElbow, 0.072),
        (.leftWrist, 0.062), (.rightWrist, 0.062), (.leftHip, 0.107), (.rightHip, 0.107), (.leftKnee, 0.087),
        (.rightKnee, 0.087), (.leftAnkle, 0.089), (.rightAnkle, 0.089),
    ]

    package static let all: [JointKey] = deviations.map(\.joint)
}
