/// A value together with the stretch of the stream it describes.
public struct TemporalFeature<Feature>: Identifiable {
    /// Which stretch of which stream.
    public var id: TemporalSegmentIdentifier
    /// The value.
    public var feature: Feature

    /// Makes a value from its stretch and its content.
    public init(id: TemporalSegmentIdentifier, feature: Feature) {
        self.id = id
        self.feature = feature
    }
}

extension TemporalFeature: Sendable where Feature: Sendable {}
extension TemporalFeature: Equatable where Feature: Equatable {}
extension TemporalFeature: Hashable where Feature: Hashable {}
extension TemporalFeature: Encodable where Feature: Encodable {}
extension TemporalFeature: Decodable where Feature: Decodable {}
