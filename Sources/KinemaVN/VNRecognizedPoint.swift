import KinemaCore

/// A joint of a body or a hand.
public final class VNRecognizedPoint: VNDetectedPoint {
    /// The joint's key.
    public let identifier: VNRecognizedPointKey

    init(_ identifier: VNRecognizedPointKey, _ joint: Joint?) {
        self.identifier = identifier
        super.init(joint)
    }
}
