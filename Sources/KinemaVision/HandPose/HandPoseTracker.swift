import Foundation
package import KinemaCore
package import KinemaMedia

/// Tracks the hands of one stream.
///
/// The landmark model follows known hands from frame to frame; the detector searches only for missing hands.
package struct HandPoseTracker: StreamTracker {
    let options: HandPoseOptions
    private let isSingleFrame: Bool
    private let detector: AnchorDetector
    private let landmarker: HandLandmarker
    private var manager = HandTrackManager()
    private var lastSearch: TimeInterval?

    /// Prepares the models; throws `.missingComponent` when one is not installed.
    ///
    /// With `isSingleFrame`, a frame of a video is searched as thoroughly as a single picture.
    package init(options: HandPoseOptions, store: ModelStore = .shared, isSingleFrame: Bool = false) throws {
        self.options = options
        self.isSingleFrame = isSingleFrame
        Self.prepare(options, store: store)
        detector = try .palms(store: store, precision: options.precision)
        landmarker = try HandLandmarker(store: store, precision: options.precision)
    }

    /// Loads what a tracker will need, in parallel; a tracker tells errors.
    package static func prepare(_ options: HandPoseOptions, store: ModelStore) {
        store.prepare(ModelCatalogue.hands, precision: options.precision)
    }

    /// The hands in the stream's next frame, in order of their numbers.
    package mutating func update(_ frame: VideoFrame) throws -> [HumanHandPoseObservation] {
        try update(frame, people: [])
    }

    /// The hands in the stream's next frame; also searches around the wrists of people who are small in the picture.
    package mutating func update(_ frame: VideoFrame, people: [Pose]) throws -> [HumanHandPoseObservation] {
        manager.update(with: try trackedHands(in: frame), at: frame.time)
        if isSearchDue(at: frame.time) {
            lastSearch = frame.time
            try findHands(in: frame, people)
        }
        let range = frame.isPicture ? nil : frame.id.rangeInSeconds
        let hands = options.readsCloseUp ? try closeUps(in: frame) : manager.tracks.map(\.hand)
        return zip(manager.tracks, hands).map { track, hand in
            HumanHandPoseObservation(
                hand.pose(id: track.id, width: frame.width, height: frame.height),
                chirality: track.rightness >= 0.5 ? .right : .left, timeRange: range)
        }
    }

    /// The landmarks of the tracked hands, inferred in parallel; nil for a hand that is gone.
    private func trackedHands(in frame: VideoFrame) throws -> [HandLandmarks?] {
        let (regions, landmarker) = (manager.tracks.map(\.hand.nextRegion), landmarker)
        let results = parallel(regions.count) { index in
            Result { try landmarker.hand(in: frame, regions[index]) }
        }
        return try results.map { try $0.get() }
    }

    /// The tracked hands read again from close up; a hand that is not seen there stays as it was.
    private func closeUps(in frame: VideoFrame) throws -> [HandLandmarks] {
        let (hands, landmarker) = (manager.tracks.map(\.hand), landmarker)
        let results = parallel(hands.count) { index in
            Result { try landmarker.hand(in: frame, hands[index].closeUpRegion) ?? hands[index] }
        }
        return try results.map { try $0.get() }
    }

    /// Whether to search: in every frame after a loss, else at the options' interval while hands are missing.
    private func isSearchDue(at time: TimeInterval) -> Bool {
        guard manager.tracks.count < options.maximumHandCount else { return false }
        guard let lastSearch, manager.lost.isEmpty else { return true }
        return time - lastSearch >= options.searchInterval - 1e-6 || time < lastSearch
    }

    private mutating func findHands(in frame: VideoFrame, _ people: [Pose]) throws {
        if isSingleFrame || frame.isPicture {
            let search = HandSearch(detector: detector, landmarker: landmarker)
            for hand in try search.hands(in: frame, maximumCount: options.maximumHandCount) {
                manager.add(hand, at: frame.time)
            }
        } else {
            try addHands(at: detector.detect(in: frame), in: frame)
        }
        for part in people.flatMap({ wristParts(of: $0, in: frame) }) {
            guard manager.tracks.count < options.maximumHandCount else { return }
            let isTracked = manager.tracks.contains {
                ($0.hand.nextRegion.center - part.center).length < part.side / 2
            }
            if !isTracked { try addHands(at: detector.detect(in: frame, part: part), in: frame) }
        }
    }

    private mutating func addHands(at palms: [AnchorDetection], in frame: VideoFrame) throws {
        for region in palms.map(\.handRegion).sorted(by: { $0.side > $1.side }) {
            guard manager.tracks.count < options.maximumHandCount else { return }
            guard !manager.isTracked(region), let hand = try landmarker.hand(in: frame, region),
                !manager.isTracked(hand)
            else { continue }
            manager.add(hand, at: frame.time)
        }
    }

    /// The squares to search around a person's wrists; none if the person is large enough in the whole picture.
    private func wristParts(of person: Pose, in frame: VideoFrame) -> [Region] {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        func pixel(_ key: JointKey) -> SIMD2<Double>? {
            guard let joint = person.keypoints[key], joint.confidence >= 0.5 else { return nil }
            return SIMD2(joint.location.x, 1 - joint.location.y) * size
        }
        // The side is the torso's length, which stays long when the arm points at the camera.
        guard let neck = pixel(.neck), let root = pixel(.root) else { return [] }
        let side = (root - neck).length
        // The detector finds hands of a sixth of the whole picture, the size they have if the torso is half of it.
        guard side >= 24, side < 0.5 * size.max() else { return [] }
        return [(JointKey.leftElbow, JointKey.leftWrist), (.rightElbow, .rightWrist)].compactMap { elbow, wrist in
            guard let wrist = pixel(wrist) else { return nil }
            // The hand's centre is a third of the forearm beyond the wrist.
            let hand = pixel(elbow).map { wrist + (wrist - $0) / 3 } ?? wrist
            return Region(center: hand, side: side, angle: 0)
        }
    }
}

/// Searches a single picture for hands, more thoroughly than a frame of a video.
///
/// It also searches parts and a margin around the picture, tries doubtful palms, and verifies each hand: from a
/// slightly different region, a real hand stays in the same position.
struct HandSearch: Sendable {
    /// The minimum score of a palm: half the minimum in video.
    static let threshold: Float = 0.25
    /// The minimum presence in both readings at a palm whose score is too low for video.
    static let doubtfulPresence: Float = 0.8
    /// The maximum overlap of a hand at such a palm with other hands.
    static let doubtfulOverlap = 0.1
    /// The mean landmark distance, in hand lengths, between two readings of one hand; larger for false detections.
    static let unsteadiness = 0.25
    /// The sizes of the searched squares as shares of the picture's longer side. The larger one finds hands that fill
    /// the picture.
    static let shares = [1, 1.6]
    /// The sizes of the parts searched for small hands.
    static let partShares = [0.6]

    let detector: AnchorDetector
    let landmarker: HandLandmarker

    /// The hands in the picture, largest first.
    func hands(in frame: VideoFrame, maximumCount: Int) throws -> [HandLandmarks] {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let wholes = Self.shares.map { Region(center: size / 2, side: $0 * size.max(), angle: 0) }
        var palms: [AnchorDetection] = []
        for part in wholes + BodySearch.parts(of: size, shares: Self.partShares) {
            palms += try detector.detect(in: frame, part: part, threshold: Self.threshold)
        }
        var found: [HandLandmarks] = []
        for palm in palms.sorted(by: { $0.score > $1.score }) {
            // A doubtful palm on a known hand is usually that hand read upside down.
            let isSure = palm.score >= AnchorDetector.threshold
            let maximumOverlap = isSure ? HandTrackManager.duplicateOverlap : Self.doubtfulOverlap
            func isKnown(_ region: Region) -> Bool {
                found.map(\.nextRegion).contains { known in
                    known.overlap(region) > maximumOverlap
                        || (known.center - region.center).length < 0.25 * max(known.side, region.side)
                }
            }
            guard !isKnown(palm.handRegion), let hand = try verify(palm, in: frame), !isKnown(hand.nextRegion) else {
                continue
            }
            found.append(hand)
        }
        return Array(found.sorted { $0.nextRegion.side > $1.nextRegion.side }.prefix(maximumCount))
    }

    /// Verifies a palm by a second reading from the region that the first one's landmarks give; nil without a hand.
    private func verify(_ palm: AnchorDetection, in frame: VideoFrame) throws -> HandLandmarks? {
        guard let first = try landmarker.hand(in: frame, palm.handRegion),
            let second = try landmarker.hand(in: frame, first.nextRegion)
        else { return nil }
        let isSure = palm.score >= AnchorDetector.threshold
        guard isSure || min(first.presence, second.presence) >= Self.doubtfulPresence else { return nil }
        let distance =
            zip(first.points, second.points).reduce(0) { $0 + ($1.0 - $1.1).length } / Double(HandLandmarks.count)
        return distance < Self.unsteadiness * second.length ? second : nil
    }
}
