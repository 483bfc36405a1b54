import Foundation
import KinemaCore
import KinemaMotion
import KinemaVision

extension JSONText {
    mutating func points(_ name: String, _ points: [CGPoint]) {
        array(name) { list in points.forEach { list.numbers([$0.x, $0.y], decimals: 4) } }
    }

    mutating func box(_ name: String, _ box: CGRect?) {
        key(name)
        if let box {
            numbers([box.minX, box.minY, box.width, box.height], decimals: 4)
        } else {
            null()
        }
    }

    mutating func field(_ name: String, encoded value: some Encodable) {
        field(name, raw: (try? JSONEncoder.ordered.encode(value)) ?? Data("null".utf8))
    }
}

extension JSONText {
    mutating func people(_ poses: [Pose], faults: [Int: Set<JointKey>]) {
        objects("people", poses) { json, pose in
            json.field("id", pose.id)
            if pose.isHeld { json.field("held", true) }
            json.field("confidence", Double(pose.confidence), decimals: 3)
            json.box("box", pose.boundingBox() ?? .zero)
            json.keypoints(pose, BodySkeleton.joints)
            let names = pose.id.flatMap { faults[$0] } ?? []
            json.field("faults", strings: names.map(\.rawValue).sorted())
        }
    }

    mutating func hands(_ hands: [HumanHandPoseObservation], of people: [Pose], aspectRatio: Double) {
        let wrists = hands.isEmpty ? [] : HandAssignment(hands, to: people, aspectRatio: aspectRatio).wrists
        objects("hands", zip(hands, wrists)) { json, found in
            json.field("id", found.0.pose.id)
            json.field("chirality", found.0.chirality?.rawValue)
            json.field("person", found.1.flatMap { people[$0.person].id })
            json.keypoints(found.0.pose, HandSkeleton.joints)
        }
    }

    /// Data about the movement for the page: the direction in which it starts, what cannot be judged, and the angle that
    /// shows its range.
    mutating func movement(of coach: ExerciseCoach) {
        guard let exercise = coach.exercise, let phases = exercise.phases else { return }
        field("lowersFirst", phases.beginsEccentric)
        let unjudged = coach.unjudged
        if !unjudged.isEmpty { field("unjudged", strings: unjudged) }
        guard let lead = exercise.leadingAngle else { return }
        let now = coach.leadingAngle
        object("angle") { json in
            json.field("measure", (now?.measure ?? lead.measure).name)
            json.field("degrees", now?.degrees, decimals: 1)
            json.field("rest", lead.rest, decimals: 0)
            json.field("full", lead.full, decimals: 0)
        }
    }

    private mutating func keypoints(_ pose: Pose, _ order: [JointKey]) {
        object("keypoints") { joints in
            for key in order {
                guard let joint = pose.keypoints[key] else { continue }
                joints.array(key.rawValue) { list in
                    list.number(joint.location.x, decimals: 4)
                    list.number(joint.location.y, decimals: 4)
                    list.number(Double(joint.confidence), decimals: 2)
                }
            }
        }
    }
}
