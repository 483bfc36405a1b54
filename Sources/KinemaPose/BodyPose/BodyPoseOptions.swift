public import Foundation
public import KinemaCore
public import KinemaMedia

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

/// The kind of input, which determines how frames are processed.
public enum RunningMode: Sendable, Hashable {
    /// One image, searched as thoroughly as possible.
    case picture
    /// The frames of a file, which may be analysed in several parts at once.
    case file
    /// A stream that is read in one piece; all cores work on one frame.
    case exact
    /// A live stream: as `exact`, but the search for newcomers waits until the frame's poses are returned (`catchUp`).
    case live
}

/// The time by which searches are due: the stream's, without dropped frames. A search takes as long as many frames of
/// following, so a slow machine would otherwise search in every frame and never catch up.
struct SearchClock: Sendable {
    /// The longest step between two frames, in durations of the earlier one: a file leaves out a frame now and then.
    private static let longestStep = 2.0
    /// A step that every frame may take, in seconds: that of 30 frames a second.
    private static let usualStep: TimeInterval = 1.0 / 30
    /// The step to a frame before the last one, in seconds: another recording may have begun, so a search is due.
    private static let restart: TimeInterval = 1

    /// Seconds since the first frame.
    private(set) var time: TimeInterval = 0
    private var last: ClosedRange<TimeInterval>?

    mutating func advance(to frame: VideoFrame) {
        let range = frame.id.rangeInSeconds
        defer { last = range.lowerBound...max(range.lowerBound, range.upperBound) }
        guard let last else { return }
        let step = range.lowerBound - last.lowerBound
        let limit = max(Self.longestStep * (last.upperBound - last.lowerBound), Self.usualStep)
        time += step < 0 ? Self.restart : min(step, limit)
    }
}

/// Detects and tracks the body poses of all people in a frame.
///
/// Pass the frames of a stream in order: people keep their number (`Pose.id`), and tracking restarts when time goes
/// back. An extractor can serve several streams at once.
public struct HumanBodyPoseExtractor: Transformer, Sendable {
    private let trackers: TrackerCache<BodyPoseTracker>

    /// Creates an extractor.
    public init(options: BodyPoseOptions = BodyPoseOptions()) {
        trackers = TrackerCache { try BodyPoseTracker(options: options) }
    }

    /// The poses of all people in the frame, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try poses(in: input)
    }

    package func poses(in frame: VideoFrame) throws -> [Pose] {
        var poses = try trackers.update(frame)
        let size = CGSize(width: frame.width, height: frame.height)
        for index in poses.indices { poses[index].imageSize = size }
        return poses
    }
}

package struct BodyTracker: Sendable {
    // Exactly one of the two is set; separate properties can be mutated in place.
    private var blazePose: BodyPoseTracker?
    private var chosen: ModelTracker?

    /// Prepares the models; `options` are BlazePose's.
    package init(_ model: BodyModel, options: BodyPoseOptions, store: ModelStore, mode: RunningMode) throws {
        switch model {
        case .blazePose, .automatic: blazePose = try BodyPoseTracker(options: options, store: store, mode: mode)
        case .poseNet(let options): chosen = try ModelTracker(options: options, store: store)
        case .chosen(let options): chosen = try ModelTracker(options: options, store: store)
        }
    }

    /// Loads the models in parallel before the first frame arrives; errors are left to `init`.
    package static func prepare(_ model: BodyModel, options: BodyPoseOptions, store: ModelStore) {
        if case .blazePose = model { store.prepare(ModelCatalogue.bodies, precision: options.precision) }
    }

    /// The people in the stream's next frame; in a live stream, `catchUp` searches for newcomers.
    package mutating func update(_ frame: VideoFrame) throws -> [Pose] {
        try blazePose?.update(frame) ?? chosen?.update(frame) ?? []
    }

    /// The number of cuts so far.
    package var shot: Int { blazePose?.shots.count ?? chosen?.shots.count ?? 0 }

    private var manager: PersonTrackManager? { blazePose?.manager ?? chosen?.manager }

    /// Everyone in view or recently lost.
    package var memory: PersonMemory { PersonMemory(manager.map { $0.tracks + $0.lost } ?? []) }

    /// Those in view whose numbers are greater than `number`.
    package func newcomers(after number: Int) -> PersonMemory {
        PersonMemory((manager?.tracks ?? []).filter { $0.id > number })
    }

    package mutating func catchUp() throws { try blazePose?.catchUp() }
}
