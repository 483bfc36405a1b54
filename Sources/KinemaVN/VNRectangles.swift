import KinemaCore
import KinemaMedia
import KinemaVision

/// A rectangle around a person.
public final class VNHumanObservation: VNDetectedObjectObservation {
    /// Whether the rectangle ends at the hips.
    public let upperBodyOnly: Bool

    init(_ observation: HumanObservation) {
        upperBodyOnly = observation.isUpperBodyOnly
        super.init(observation, observation.boundingBox)
    }
}

/// Detects the rectangles around all people in an image.
public final class VNDetectHumanRectanglesRequest: VNImageBasedRequest {
    /// Whether rectangles end at the hips; true by default.
    public var upperBodyOnly = true

    /// The people of the last performance, highest confidence first.
    public var results: [VNHumanObservation]? { observations as? [VNHumanObservation] }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        var request = DetectHumanRectanglesRequest()
        request.upperBodyOnly = upperBodyOnly
        request.regionOfInterest = try region()
        return try request.people(in: frame).map(VNHumanObservation.init)
    }
}

/// A face, with its rectangle and confidence.
public final class VNFaceObservation: VNDetectedObjectObservation {
    init(_ face: FaceObservation) { super.init(face, face.boundingBox) }
}

/// Detects the rectangles around all faces in an image.
public final class VNDetectFaceRectanglesRequest: VNImageBasedRequest {
    /// The faces of the last performance, highest confidence first.
    public var results: [VNFaceObservation]? { observations as? [VNFaceObservation] }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        var request = DetectFaceRectanglesRequest()
        request.regionOfInterest = try region()
        return try request.faces(in: frame).map(VNFaceObservation.init)
    }
}
