/// What a live service offers: its part of `GET /api/status`.
package struct LiveStatus: Sendable, Equatable, Codable {
    /// An exercise that can be coached.
    package struct Exercise: Sendable, Equatable, Codable {
        package var name: String
        package var title: String
    }

    /// A trained classifier.
    package struct Classifier: Sendable, Equatable, Codable {
        package var id: String
        package var name: String
        package var classes: [String]
        /// True for one that was learnt in the studio, else absent.
        package var made: Bool?
    }

    package var cameras: [LiveConfiguration.Camera]
    package var inputs: [String]
    package var exercises: [Exercise]
    package var classifiers: [Classifier]
}
