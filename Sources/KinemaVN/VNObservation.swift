import KinemaVision
public import Foundation
public import KinemaCore
import KinemaMedia

/// The base of all observations.
public class VNObservation: Hashable, CustomStringConvertible {
    /// A unique identifier; two observations are equal if they have the same one.
    public let uuid: UUID
    /// The probability that the observation is real, 0...1.
    public let confidence: VNConfidence
    /// The time of the analysed frames from the stream's first frame; zero for a single image.
    public let timeRange: CMTimeRange

    init(_ observation: some VisionObservation) {
        (uuid, confidence) = (observation.uuid, observation.confidence)
        timeRange = observation.timeRange ?? CMTimeRange(start: .zero, duration: .zero)
    }

    init(confidence: VNConfidence) {
        (uuid, self.confidence) = (UUID(), confidence)
        timeRange = CMTimeRange(start: .zero, duration: .zero)
    }

    /// Whether the other object is an observation with the same identifier.
    public func isEqual(_ object: Any?) -> Bool { (object as? VNObservation) == self }

    /// Compares the identifiers.
    public static func == (one: VNObservation, other: VNObservation) -> Bool { one.uuid == other.uuid }

    /// The kind, identifier and confidence.
    public var description: String { "\(type(of: self)) \(uuid), confidence \(confidence)" }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

extension Pose {
    /// Makes a pose from an observation.
    public init(_ observation: VNRecognizedPointsObservation) throws { self = observation.pose }
}

/// An object and the rectangle around it.
public class VNDetectedObjectObservation: VNObservation {
    /// The rectangle, 0...1 of the region of interest, origin at the lower left.
    public let boundingBox: CGRect

    init(_ observation: some VisionObservation, _ boundingBox: NormalizedRect) {
        self.boundingBox = boundingBox.cgRect
        super.init(observation)
    }
}

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
