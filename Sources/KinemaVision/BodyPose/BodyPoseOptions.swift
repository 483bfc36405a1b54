public import Foundation

/// The options of the search for bodies.
public struct BodyPoseOptions: Sendable, Hashable {
    /// The search for small people.
    public enum Search: String, Sendable, Hashable, CaseIterable, Codable {
        /// Searches the whole image and occasionally parts of it; detects people of at least a third of its height.
        case whole
        /// Searches overlapping parts of every searched image, which takes several times as long.
        case parts
        /// Searches parts of single images; video is searched like `whole`, with close-ups spread over the frames.
        /// Those detect people of a sixth of the height: within 0.5 s while nobody is in view, otherwise within a few
        /// seconds.
        case automatic

        func includesParts(isSinglePicture: Bool) -> Bool {
            self == .parts || self == .automatic && isSinglePicture
        }
    }

    /// The maximum number of people to track at once.
    public var maximumPeople: Int
    /// The interval between searches for newcomers while all known people are in view, in seconds.
    package var searchInterval: TimeInterval
    /// The search for small people.
    public var search: Search
    /// The numeric precision of inference.
    package var precision: ModelStore.Precision
    /// Whether to hold the landmarks of people at rest for up to 0.5 s (`Pose.isHeld`), which saves inferences.
    package var holdsPeopleAtRest: Bool
    /// Whether to segment people as well, which takes half as long again.
    package var findsMasks = false

    /// Creates options; the defaults track everyone of ordinary size.
    public init(
        maximumPeople: Int = 16, searchInterval: TimeInterval = 0.5, search: Search = .automatic,
        precision: ModelStore.Precision = .f32, holdsPeopleAtRest: Bool = false
    ) {
        self.holdsPeopleAtRest = holdsPeopleAtRest
        self.maximumPeople = max(1, maximumPeople)
        (self.searchInterval, self.search, self.precision) = (searchInterval, search, precision)
    }
}
