import Foundation
import Kinema

extension JSONText {
    /// A frame with its people: the contract's line of `kinema pose`.
    mutating func frame(_ frame: ExportedFrame) {
        object { json in
            json.key("frame")
            json.integer(frame.index)
            json.key("time")
            json.number(frame.time, decimals: 6)
            json.key("people")
            json.array { list in frame.poses.forEach { list.person($0) } }
            json.key("hands")
            json.array { _ in }
            json.key("width")
            json.integer(frame.width)
            json.key("height")
            json.integer(frame.height)
        }
    }

    private mutating func person(_ pose: Pose) {
        object { json in
            json.key("id")
            if let id = pose.id { json.integer(id) } else { json.null() }
            json.key("confidence")
            json.number(Double(pose.confidence), decimals: 4)
            json.key("box")
            let box = pose.boundingBox() ?? .zero
            json.numbers([box.minX, box.minY, box.width, box.height])
            json.key("keypoints")
            json.object { joints in
                for key in Self.order {
                    guard let joint = pose.keypoints[key] else { continue }
                    joints.key(key.rawValue)
                    joints.numbers([joint.location.x, joint.location.y, Double(joint.confidence)])
                }
            }
            json.key("keypoints3D")
            json.object { joints in
                for key in Self.order {
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

    /// A list of numbers.
    mutating func numbers(_ values: [Double], decimals: Int = 5) {
        array { list in values.forEach { list.number($0, decimals: decimals) } }
    }

    private static let order = BodySkeleton.joints
}
