/// A value with its time range in a stream.
public struct TemporalFeature<Feature>: Identifiable {
    /// The time range and its stream.
    public var id: TemporalSegmentIdentifier
    /// The value.
    public var feature: Feature

    /// Creates a timed value from its time range and its content.
    public init(id: TemporalSegmentIdentifier, feature: Feature) { (self.id, self.feature) = (id, feature) }
}

extension TemporalFeature: Sendable where Feature: Sendable {}
extension TemporalFeature: Equatable where Feature: Equatable {}
extension TemporalFeature: Hashable where Feature: Hashable {}
extension TemporalFeature: Encodable where Feature: Encodable {}
extension TemporalFeature: Decodable where Feature: Decodable {}
