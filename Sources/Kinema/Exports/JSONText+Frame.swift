import Foundation
package import KinemaCore
import KinemaVision

extension JSONText {
    /// A frame with its people: a line of `kinema pose`, without the line break.
    package mutating func frame(_ frame: ExportedFrame) {
        object { json in
            json.field("frame", frame.index)
            json.field("time", frame.time, decimals: 6)
            json.array("people") { list in frame.poses.forEach { list.person($0) } }
            json.array("hands") { list in
                guard !frame.hands.isEmpty else { return }
                let aspectRatio = Double(frame.width) / Double(max(1, frame.height))
                let assignment = HandAssignment(frame.hands, to: frame.poses, aspectRatio: aspectRatio)
                for (hand, wrist) in zip(frame.hands, assignment.wrists) {
                    list.hand(hand, person: wrist.flatMap { frame.poses[$0.person].id })
                }
            }
            if let motion = frame.poses.first?.cameraMotion {
                json.key("camera")
                json.numbers([motion.linear.x, motion.linear.y, motion.shift.x, motion.shift.y], decimals: 6)
            }
            json.field("width", frame.width)
            json.field("height", frame.height)
        }
    }

    private mutating func hand(_ hand: HumanHandPoseObservation, person: Int?) {
        object { json in
            json.field("id", hand.pose.id)
            json.field("chirality", hand.chirality?.rawValue)
            json.field("person", person)
            json.pose(hand.pose, joints: HandSkeleton.joints)
        }
    }

    private mutating func person(_ pose: Pose) {
        object { json in
            json.field("id", pose.id)
            if let shot = pose.shot { json.field("shot", shot) }
            if pose.isHeld { json.field("held", true) }
            json.pose(pose, joints: BodySkeleton.joints)
        }
    }

    private mutating func pose(_ pose: Pose, joints order: [JointKey]) {
        field("confidence", Double(pose.confidence), decimals: 4)
        key("box")
        let box = pose.boundingBox() ?? .zero
        numbers([box.minX, box.minY, box.width, box.height])
        object("keypoints") { joints in
            for key in order {
                guard let joint = pose.keypoints[key] else { continue }
                joints.field(key.rawValue, numbers: [joint.location.x, joint.location.y, Double(joint.confidence)])
            }
        }
        object("keypoints3D") { joints in
            for key in order {
                guard let joint = pose.keypoints3D[key] else { continue }
                joints.key(key.rawValue)
                let position = joint.position
                joints.numbers(
                    [Double(position.x), Double(position.y), Double(position.z), Double(joint.confidence)],
                    decimals: 4)
            }
        }
    }
}
