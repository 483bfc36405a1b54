import Foundation
import KinemaCore
import Testing

/// Poses and observations under Vision's names.
struct ObservationTests {
    private static func pose(_ keys: [JointKey]) -> Pose {
        let joints = keys.enumerated().map { index, key in
            let location = CGPoint(x: 0.1 + 0.02 * Double(index), y: 0.9 - 0.03 * Double(index))
            return (key, JointPoint(key, location: location, confidence: 0.5 + 0.01 * Float(index)))
        }
        return Pose(from: Dictionary(uniqueKeysWithValues: joints), keypoints3D: [:], id: 3, confidence: 0.8)
    }

    @Test func `every joint of vision has its key and its place`() throws {
        let names = HumanBodyPoseObservation.JointName.allCases
        #expect(names.count == 19)
        let pose = Self.pose(BodySkeleton.joints)
        let observation = HumanBodyPoseObservation(pose, timeRange: CMTimeRange(1..<2))
        #expect(observation.availableJointNames == names && observation.confidence == 0.8)
        for name in names {
            let joint = try #require(observation.joint(for: name))
            let point = try #require(pose.keypoints[JointKey(rawValue: name.rawValue)])
            #expect(joint.jointName == name.rawValue && joint.confidence == point.confidence)
            #expect(joint.location.cgPoint == point.location)
        }
        #expect(observation.allJoints().count == 19)
    }

    @Test func `joints that were not found are left out`() {
        let observation = HumanBodyPoseObservation(Self.pose([.nose, .leftHip, .leftKnee, .leftHeel]))
        #expect(Set(observation.availableJointNames) == [.nose, .leftHip, .leftKnee])
        #expect(observation.joint(for: .rightKnee) == nil)
        #expect(Set(observation.allJoints(in: .leftLeg).keys) == [.leftHip, .leftKnee])
        #expect(observation.allJoints(in: .rightArm).isEmpty)
    }

    @Test func `what is outside the picture or hardly sure was not found`() throws {
        var pose = Self.pose([.nose, .leftHip, .leftKnee, .rightKnee])
        pose.keypoints[.leftKnee]?.location.y = -0.1
        pose.keypoints[.rightKnee]?.confidence = 0.19
        let observation = HumanBodyPoseObservation(pose)
        #expect(Set(observation.availableJointNames) == [.nose, .leftHip])
        #expect(observation.joint(for: .leftKnee) == nil && observation.pose.keypoints.count == 4)
        let array = try observation.keypoints
        let knees = [9, 12].flatMap { joint in
            (0..<3).map { array[[0, NSNumber(value: $0), NSNumber(value: joint)]].doubleValue }
        }
        #expect(knees.allSatisfy { $0 == 0 } && array[[0, 2, 0]].doubleValue > 0)
    }

    @Test func `groups hold the joints of their name`() {
        let groups = HumanBodyPoseObservation.JointsGroupName.allCases
        let names = groups.map(HumanBodyPoseObservation.jointNames(in:))
        #expect(names.map(\.count) == [5, 6, 3, 3, 3, 3])
        #expect(Set(names.joined()) == Set(HumanBodyPoseObservation.JointName.allCases))
        for group in groups where group.rawValue.hasPrefix("left") {
            #expect(HumanBodyPoseObservation.jointNames(in: group).allSatisfy { $0.rawValue.hasPrefix("left") })
        }
    }

    @Test func `an observation is only equal to itself`() {
        let pose = Self.pose([.nose])
        let one = HumanBodyPoseObservation(pose)
        let copy = one
        #expect(one == copy && one != HumanBodyPoseObservation(pose))
        #expect(Set([one, copy, HumanBodyPoseObservation(pose)]).count == 2)
    }

    @Test func `image coordinates count from the corner asked for`() {
        let size = CGSize(width: 200, height: 100)
        let point = NormalizedPoint(x: 0.25, y: 0.1)
        #expect(point.toImageCoordinates(size) == CGPoint(x: 50, y: 10))
        #expect(point.toImageCoordinates(size, origin: .upperLeft) == CGPoint(x: 50, y: 90))
        #expect("\(point)" == "[0.25, 0.1]")
        let rect = NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5)
        #expect(rect.toImageCoordinates(size) == CGRect(x: 100, y: 25, width: 50, height: 50))
        #expect(rect.description == "[0.5, 0.25, 0.25, 0.5]")
        let top = NormalizedRect(x: 0, y: 0.75, width: 1, height: 0.25)
        #expect(top.toImageCoordinates(size, origin: .upperLeft) == CGRect(x: 0, y: 0, width: 200, height: 25))
    }

    @Test func `a box holds the joints that are sure enough`() throws {
        var pose = Self.pose([.nose, .root, .leftAnkle])
        #expect(try #require(pose.boundingBox()).maxY == 0.9)
        pose.keypoints[.nose]?.confidence = 0.1
        let box = try #require(pose.boundingBox())
        #expect(abs(box.maxY - 0.87) < 1e-9 && abs(box.minX - 0.12) < 1e-9)
        #expect(pose.boundingBox(confidenceThreshold: 0.9) == nil && pose.boundingBoxArea(confidenceThreshold: 1) == 0)
        #expect(abs(pose.boundingBoxArea() - 0.02 * 0.03) < 1e-7)
    }
}
