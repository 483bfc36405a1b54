/// A value together with what is known about it, such as its class.
public struct AnnotatedFeature<Feature, Annotation> {
    /// The value.
    public var feature: Feature
    /// What is known about it.
    public var annotation: Annotation

    /// Makes an annotated value.
    public init(feature: Feature, annotation: Annotation) {
        self.feature = feature
        self.annotation = annotation
    }
}

extension AnnotatedFeature: Sendable where Feature: Sendable, Annotation: Sendable {}
extension AnnotatedFeature: Equatable where Feature: Equatable, Annotation: Equatable {}
extension AnnotatedFeature: Hashable where Feature: Hashable, Annotation: Hashable {}
extension AnnotatedFeature: Encodable where Feature: Encodable, Annotation: Encodable {}
extension AnnotatedFeature: Decodable where Feature: Decodable, Annotation: Decodable {}
