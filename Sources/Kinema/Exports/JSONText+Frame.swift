import Foundation
package import KinemaCore
import KinemaMotion
import KinemaVision

extension JSONText {
    /// A frame with its people: a line of `kinema pose`, without the line break.
    package mutating func frame(_ frame: ExportedFrame) {
        object { json in
            json.key("frame")
            json.integer(frame.index)
            json.key("time")
            json.number(frame.time, decimals: 6)
            json.key("people")
            json.array { list in frame.poses.forEach { list.person($0) } }
            json.key("hands")
            json.array { list in
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
            json.key("width")
            json.integer(frame.width)
            json.key("height")
            json.integer(frame.height)
        }
    }

    private mutating func hand(_ hand: HumanHandPoseObservation, person: Int?) {
        object { json in
            json.key("id")
            if let id = hand.pose.id { json.integer(id) } else { json.null() }
            json.key("chirality")
            if let side = hand.chirality { json.string(side.rawValue) } else { json.null() }
            json.key("person")
            if let person { json.integer(person) } else { json.null() }
            json.pose(hand.pose, joints: HandSkeleton.joints)
        }
    }

    private mutating func person(_ pose: Pose) {
        object { json in
            json.key("id")
            if let id = pose.id { json.integer(id) } else { json.null() }
            if let shot = pose.shot {
                json.key("shot")
                json.integer(shot)
            }
            if pose.isHeld {
                json.key("held")
                json.boolean(true)
            }
            json.pose(pose, joints: BodySkeleton.joints)
        }
    }

    private mutating func pose(_ pose: Pose, joints order: [JointKey]) {
        key("confidence")
        number(Double(pose.confidence), decimals: 4)
        key("box")
        let box = pose.boundingBox() ?? .zero
        numbers([box.minX, box.minY, box.width, box.height])
        key("keypoints")
        object { joints in
            for key in order {
                guard let joint = pose.keypoints[key] else { continue }
                joints.key(key.rawValue)
                joints.numbers([joint.location.x, joint.location.y, Double(joint.confidence)])
            }
        }
        key("keypoints3D")
        object { joints in
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
