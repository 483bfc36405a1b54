public import Foundation
import KinemaCore

/// A request about a part of an image.
public class VNImageBasedRequest: VNRequest {
    /// The part to analyse, 0...1, origin at the lower left; results are relative to it. It must lie within the image.
    public var regionOfInterest = VNNormalizedIdentityRect

    func region() throws -> NormalizedRect {
        let isInside = VNNormalizedIdentityRect.insetBy(dx: -1e-9, dy: -1e-9).contains(regionOfInterest)
        guard isInside, regionOfInterest.width > 0, regionOfInterest.height > 0 else {
            throw VNError(.outOfBoundsError, "the region of interest \(regionOfInterest) is not within (0, 0, 1, 1)")
        }
        return NormalizedRect(normalizedRect: regionOfInterest)
    }
}
