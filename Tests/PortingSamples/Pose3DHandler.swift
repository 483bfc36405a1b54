import Foundation
import KinemaVN

/// A body in space with the older API: positions, the angle of a limb, the camera.
final class HumanBodyPose3DDetector {
    private(set) var humanObservation: VNHumanBodyPose3DObservation?

    func runHumanBodyPose3DRequest(on fileURL: URL) {
        let request = VNDetectHumanBodyPose3DRequest()
        let requestHandler = VNImageRequestHandler(url: fileURL)
        do {
            try requestHandler.perform([request])
            if let returnedObservation = request.results?.first {
                humanObservation = returnedObservation
            }
        } catch {
            print("Unable to perform the request: \(error).")
        }
    }

    /// The direction from a joint's parent to the joint.
    func direction(to joint: VNHumanBodyPose3DObservation.JointName) -> simd_float3? {
        guard let observation = humanObservation, let point = try? observation.recognizedPoint(joint) else {
            return nil
        }
        let column = point.localPosition.columns.3
        return simd_normalize(simd_float3(column.x, column.y, column.z))
    }

    /// The height in metres, and whether depth was measured.
    var bodyHeight: (metres: Float, isMeasured: Bool)? {
        humanObservation.map { ($0.bodyHeight, $0.heightEstimation == .measured) }
    }

    /// How far the camera is from the root and from the joint nearest to it, in metres.
    func cameraDistances() throws -> (root: Float, nearest: Float)? {
        guard let observation = humanObservation else { return nil }
        let origin = observation.cameraOriginMatrix.columns.3
        let distances = try observation.availableJointNames.map { name in
            let position = try observation.cameraRelativePosition(name).columns.3
            return simd_length(simd_float3(position.x, position.y, position.z))
        }
        return (simd_length(simd_float3(origin.x, origin.y, origin.z)), distances.min() ?? 0)
    }

    /// The chain from a joint to the root.
    func chain(from joint: VNHumanBodyPose3DObservation.JointName) -> [VNHumanBodyPose3DObservation.JointName] {
        var chain = [joint]
        while let last = chain.last, let parent = humanObservation?.parentJointName(last) {
            chain.append(parent)
        }
        return chain
    }

    func pointsInImage(of group: VNHumanBodyPose3DObservation.JointsGroupName) throws -> [VNPoint] {
        guard let observation = humanObservation else { return [] }
        return try observation.recognizedPoints(group).keys.map { try observation.pointInImage($0) }
    }
}
