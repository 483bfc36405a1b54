public import Foundation
import KinemaCore

/// An object and the rectangle around it.
public class VNDetectedObjectObservation: VNObservation {
    /// The rectangle, 0...1 of the region of interest, origin at the lower left.
    public let boundingBox: CGRect

    init(_ observation: some VisionObservation, _ boundingBox: NormalizedRect) {
        self.boundingBox = boundingBox.cgRect
        super.init(observation)
    }
}
