import Foundation
import KinemaCore
import KinemaVision

extension JSONText {
    /// Everyone in a frame, with the joints at fault.
    mutating func people(_ poses: [Pose], faults: [Int: Set<JointKey>]) {
        key("people")
        array { list in
            for pose in poses {
                list.object { json in
                    json.number(of: pose)
                    json.pair("confidence", Double(pose.confidence), decimals: 3)
                    json.box(pose.boundingBox() ?? .zero)
                    json.keypoints(pose, BodySkeleton.joints)
                    json.key("faults")
                    let names = pose.id.flatMap { faults[$0] } ?? []
                    json.array { list in names.map(\.rawValue).sorted().forEach { list.string($0) } }
                }
            }
        }
    }

    /// The hands in a frame, with whose they are.
    mutating func hands(_ hands: [HumanHandPoseObservation], of people: [Pose], aspectRatio: Double) {
        key("hands")
        array { list in
            guard !hands.isEmpty else { return }
            let owners = HandOwners(hands, of: people, aspectRatio: aspectRatio)
            for (hand, place) in zip(hands, owners.places) {
                list.object { json in
                    json.number(of: hand.pose)
                    json.pair("hand", hand.chirality?.rawValue)
                    if let person = place.flatMap({ people[$0.person].id }) { json.pair("person", person) }
                    json.keypoints(hand.pose, HandSkeleton.joints)
                }
            }
        }
    }

    private mutating func number(of pose: Pose) {
        key("id")
        if let id = pose.id { integer(id) } else { null() }
    }

    private mutating func box(_ box: CGRect) {
        key("box")
        array { list in
            for value in [box.minX, box.minY, box.width, box.height] { list.number(value, decimals: 4) }
        }
    }

    private mutating func keypoints(_ pose: Pose, _ order: [JointKey]) {
        key("keypoints")
        object { joints in
            for key in order {
                guard let joint = pose.keypoints[key] else { continue }
                joints.key(key.rawValue)
                joints.array { list in
                    list.number(joint.location.x, decimals: 4)
                    list.number(joint.location.y, decimals: 4)
                    list.number(Double(joint.confidence), decimals: 2)
                }
            }
        }
    }
}
