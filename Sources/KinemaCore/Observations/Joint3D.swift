/// A joint of a body in space, with Vision's names; the matrices only move, they do not turn.
public struct Joint3D: Hashable, Sendable, Codable {
    /// The position in metres from the root: x to the picture's right, y up, z towards the camera.
    public let position: simd_float4x4
    /// The position in metres from the parent joint, in the same directions.
    public let localPosition: simd_float4x4
    /// The names of the joint and of its parent; the root is its own parent.
    public let identifier, parentJoint: String
    /// Makes a joint. The spelling is Vision's.
    public init(
        position: simd_float4x4, localPosition: simd_float4x4, identifer identifier: String, parentJoint: String
    ) {
        (self.position, self.localPosition) = (position, localPosition)
        (self.identifier, self.parentJoint) = (identifier, parentJoint)
    }
}
