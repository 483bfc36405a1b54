import Foundation
import KinemaCore
import KinemaVision

extension JSONText {
    mutating func pair(_ name: String, _ value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    mutating func pair(_ name: String, _ value: Double?, decimals: Int = 4) {
        key(name)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    mutating func pair(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    mutating func points(_ name: String, _ points: [CGPoint]) {
        key(name)
        array { list in points.forEach { list.numbers([$0.x, $0.y], decimals: 4) } }
    }

    mutating func box(_ name: String, _ box: CGRect?) {
        key(name)
        if let box {
            numbers([box.minX, box.minY, box.width, box.height], decimals: 4)
        } else {
            null()
        }
    }

    mutating func pair(_ name: String, encoded value: some Encodable) {
        key(name)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        raw((try? encoder.encode(value)) ?? Data("null".utf8))
    }
}

extension JSONText {
    mutating func people(_ poses: [Pose], faults: [Int: Set<JointKey>]) {
        key("people")
        array { list in
            for pose in poses {
                list.object { json in
                    json.pair("id", pose.id)
                    if pose.isHeld {
                        json.key("held")
                        json.boolean(true)
                    }
                    json.pair("confidence", Double(pose.confidence), decimals: 3)
                    json.box("box", pose.boundingBox() ?? .zero)
                    json.keypoints(pose, BodySkeleton.joints)
                    json.key("faults")
                    let names = pose.id.flatMap { faults[$0] } ?? []
                    json.array { list in names.map(\.rawValue).sorted().forEach { list.string($0) } }
                }
            }
        }
    }

    mutating func hands(_ hands: [HumanHandPoseObservation], of people: [Pose], aspectRatio: Double) {
        key("hands")
        array { list in
            guard !hands.isEmpty else { return }
            let assignment = HandAssignment(hands, to: people, aspectRatio: aspectRatio)
            for (hand, place) in zip(hands, assignment.wrists) {
                list.object { json in
                    json.pair("id", hand.pose.id)
                    json.pair("chirality", hand.chirality?.rawValue)
                    json.pair("person", place.flatMap { people[$0.person].id })
                    json.keypoints(hand.pose, HandSkeleton.joints)
                }
            }
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
