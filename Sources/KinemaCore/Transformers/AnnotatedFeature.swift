/// A value with an annotation, such as its class.
public struct AnnotatedFeature<Feature, Annotation> {
    /// The value.
    public var feature: Feature
    /// The annotation.
    public var annotation: Annotation

    /// Creates an annotated value.
    public init(feature: Feature, annotation: Annotation) {
        (self.feature, self.annotation) = (feature, annotation)
    }
}

extension AnnotatedFeature: Sendable where Feature: Sendable, Annotation: Sendable {}

extension AnnotatedFeature: Equatable where Feature: Equatable, Annotation: Equatable {}

extension AnnotatedFeature: Hashable where Feature: Hashable, Annotation: Hashable {}

extension AnnotatedFeature: Encodable where Feature: Encodable, Annotation: Encodable {}

extension AnnotatedFeature: Decodable where Feature: Decodable, Annotation: Decodable {}
