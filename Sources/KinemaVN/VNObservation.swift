public import Foundation
public import KinemaCore

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
