/// The offers of a live service, in `GET /api/status`.
package struct LiveStatus: Sendable, Equatable, Codable {
    package struct Exercise: Sendable, Equatable, Codable {
        package var name: String
        package var title: String
    }

    package struct Classifier: Sendable, Equatable, Codable {
        package var id: String
        package var name: String
        package var classes: [String]
        package var made: Bool?
    }

    package var cameras: [LiveConfiguration.Camera]
    package var inputs: [String]
    package var exercises: [Exercise]
    package var classifiers: [Classifier]
}
