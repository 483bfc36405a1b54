public import Foundation

/// What a request finds in an image, as in Vision's Swift API.
public protocol VisionObservation: CustomStringConvertible, Sendable, Hashable, Codable {
    /// A unique identifier.
    var uuid: UUID { get }
    /// The confidence, 0...1.
    var confidence: Float { get }
    /// The image's time range from the stream's first frame; nil outside a stream.
    var timeRange: CMTimeRange? { get }
    /// The request that made the observation; nil if no request did.
    var originatingRequestDescriptor: RequestDescriptor? { get }
}

extension VisionObservation {
    /// The kind, identifier and confidence.
    public var description: String { "\(Self.self) \(uuid), confidence \(confidence)" }

    /// Compares the identifiers.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}
