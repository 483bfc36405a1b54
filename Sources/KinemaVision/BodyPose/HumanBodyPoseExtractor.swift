public import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds and tracks the body poses of all people in a frame.
///
/// Pass the frames of a stream in order: people then keep their number (`Pose.id`) from frame to frame. Tracking
/// restarts when a source's time goes back. An extractor can serve several streams at once; they share the models.
public struct HumanBodyPoseExtractor: Transformer, Sendable {
    /// The options of the search for bodies.
    public let options: BodyPoseOptions
    private let trackers: TrackerCache<BodyPoseTracker>

    /// Creates an extractor with default options.
    public init() {
        self.init(options: BodyPoseOptions())
    }

    /// Creates an extractor with options; `store` provides the compiled models.
    public init(options: BodyPoseOptions, store: ModelStore = .shared) {
        self.options = options
        trackers = TrackerCache { try BodyPoseTracker(options: options, store: store) }
    }

    /// The poses of all people in the frame, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try poses(in: input)
    }

    /// The poses of all people in the frame, for callers that run on their own thread.
    public func poses(in frame: VideoFrame) throws -> [Pose] {
        try trackers.update(frame)
    }
}

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
        self.searchInterval = searchInterval
        self.search = search
        self.precision = precision
    }
}
