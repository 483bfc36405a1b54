import Foundation
import KinemaCore

/// A point and how sure it is.
public class VNDetectedPoint: VNPoint {
    /// The probability that the point is at `location`, 0...1.
    public let confidence: VNConfidence

    init(_ joint: Joint?) {
        confidence = joint?.confidence ?? 0
        super.init(location: joint?.location.cgPoint ?? .zero)
    }
}
