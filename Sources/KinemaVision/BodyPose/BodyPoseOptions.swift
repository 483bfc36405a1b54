public import Foundation

/// How bodies are looked for.
public struct BodyPoseOptions: Sendable, Hashable {
    /// Where small people are looked for.
    public enum Search: String, Sendable, Hashable, CaseIterable, Codable {
        /// In the whole picture, and now and then in parts of more than half of it; finds people of at least about a
        /// third of its height.
        case whole
        /// In overlapping parts of every picture that is searched, which takes several times as long.
        case parts
        /// In parts for single pictures; in video as in the whole, with closer looks spread over the frames that find
        /// people of a sixth of its height: within half a second while nobody is in view, else within some seconds.
        case automatic

        /// Whether parts of a frame are searched, which may be a picture by itself or one of a video.
        func takesParts(ofSinglePicture isSingle: Bool) -> Bool {
            self == .parts || self == .automatic && isSingle
        }
    }

    /// The most people that are followed at once.
    public var maximumPeople: Int
    /// How often newcomers are looked for while everybody known is in view, seconds.
    public var searchInterval: TimeInterval
    /// Where people are looked for.
    public var search: Search
    /// How exact the arithmetic is.
    public var precision: ModelStore.Precision

    /// Makes options; the defaults follow everyone of ordinary size.
    public init(
        maximumPeople: Int = 16, searchInterval: TimeInterval = 0.5, search: Search = .automatic,
        precision: ModelStore.Precision = .f32
    ) {
        self.maximumPeople = max(1, maximumPeople)
        self.searchInterval = searchInterval
        self.search = search
        self.precision = precision
    }
}
