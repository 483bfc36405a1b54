public import Foundation

/// The options of the search for bodies.
public struct BodyPoseOptions: Sendable, Hashable {
    /// The search for small people.
    public enum Search: String, Sendable, Hashable, CaseIterable, Codable {
        /// Searches the whole picture and from time to time parts of more than half of it; finds people of at least
        /// about a third of the picture's height.
        case whole
        /// Searches overlapping parts of every searched picture, which takes several times as long.
        case parts
        /// Searches parts of single pictures. Video is searched like `whole`, with close-ups spread over the frames
        /// that find people of a sixth of its height: within half a second while nobody is in view, else within a few
        /// seconds.
        case automatic

        /// Whether all parts of a frame are searched at once.
        func includesParts(isSinglePicture: Bool) -> Bool {
            self == .parts || self == .automatic && isSinglePicture
        }
    }

    /// The maximum number of people to track at once.
    public var maximumPeople: Int
    /// The interval between searches for newcomers while all known people are in view, in seconds.
    public var searchInterval: TimeInterval
    /// The search for small people.
    public var search: Search
    /// The numeric precision of inference.
    public var precision: ModelStore.Precision
    /// Whether the landmarks of people at rest stand for up to half a second (`Pose.isHeld`) while no part of the picture
    /// around them changes by more than its noise. It saves inferences.
    public var holdsPeopleAtRest: Bool

    /// Creates options; the defaults track all people of ordinary size.
    public init(
        maximumPeople: Int = 16, searchInterval: TimeInterval = 0.5, search: Search = .automatic,
        precision: ModelStore.Precision = .f32, holdsPeopleAtRest: Bool = false
    ) {
        self.holdsPeopleAtRest = holdsPeopleAtRest
        self.maximumPeople = max(1, maximumPeople)
        (self.searchInterval, self.search, self.precision) = (searchInterval, search, precision)
    }
}
